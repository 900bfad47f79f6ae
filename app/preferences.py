"""Every setting that the settings screen shows: its name in the file, type, default, bounds, and what people read about it.

A new setting is an entry here and a row appears. Values live in `app.settings.Settings`, which keeps whatever it does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import urlsplit

from app.texts import Text, translate

T = TypeVar("T")
N = TypeVar("N", int, float)
GB = 1 << 30
Mode = Literal["system", "light", "dark"]


class Section(Enum):
    """Where a setting is shown; HIDDEN ones are remembered for the user, not chosen."""

    APPEARANCE = "appearance"
    MODEL = "model"
    COMPUTED = "computed"
    CHAT = "chat"
    NETWORK = "network"
    STORAGE = "storage"
    HIDDEN = "hidden"


class Kind(Enum):
    """The control that fits."""

    SWITCH = "switch"
    CHOICE = "choice"
    NUMBER = "number"
    TEXT = "text"
    LONG_TEXT = "long text"
    FOLDER = "folder"
    DATA = "data"


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One setting.

    name:    its key in the file
    default: its value until the user chooses one
    accept:  turns what JSON holds into a value, or raises ValueError or TypeError
    write:   turns a value into what JSON holds
    low, high, step, unit: of a number; choices: value -> what people read
    restart: takes effect at the next start only
    """

    name: str
    default: T
    section: Section
    kind: Kind
    title: Text
    about: Text
    accept: Callable[[Any], T]
    write: Callable[[T], Any] = lambda value: value
    low: float | None = None
    high: float | None = None
    step: float | None = None
    unit: str = ""
    choices: Mapping[Any, Text] = field(default_factory=dict)
    restart: bool = False

    @property
    def bounds(self) -> tuple[float, float, float]:
        """low, high and step of a number. Raises TypeError for another kind of setting."""
        if self.low is None or self.high is None or self.step is None:
            raise TypeError(f"'{self.name}' is no number")
        return self.low, self.high, self.step


# ---------------------------------------------------------------- kinds of settings
def _is(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _switch(name: str, default: bool, section: Section, title: Text, about: Text) -> Setting[bool]:
    return Setting(name, default, section, Kind.SWITCH, title, about, lambda value: bool(_is(bool, value)))


def _choice(
    name: str, default: T, section: Section, title: Text, about: Text, choices: Mapping[T, Text], *, restart: bool = False
) -> Setting[T]:
    def accept(value: Any) -> T:
        if isinstance(value, bool) or value not in choices:
            raise ValueError(f"{value!r} is not one of {', '.join(map(str, choices))}")
        return value

    return Setting(name, default, section, Kind.CHOICE, title, about, accept, choices=choices, restart=restart)


def _number(
    name: str,
    default: N,
    section: Section,
    title: Text,
    about: Text,
    low: float,
    high: float,
    step: float,
    unit: str = "",
    kind: Kind = Kind.NUMBER,
) -> Setting[N]:
    whole = type(default) is int

    def accept(value: Any) -> N:
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            raise TypeError(f"{value!r} is no {'whole ' if whole else ''}number")
        if not low <= value <= high:
            raise ValueError(f"{value} is not between {low:g} and {high:g}")
        return type(default)(value)

    return Setting(name, default, section, kind, title, about, accept, low=low, high=high, step=step, unit=unit)


def _text(
    name: str,
    section: Section,
    title: Text,
    about: Text,
    check: Callable[[str], str] = lambda text: text,
    kind: Kind = Kind.TEXT,
) -> Setting[str]:
    return Setting(name, "", section, kind, title, about, lambda value: check(_is(str, value)))


def _folder(name: str, section: Section, title: Text, about: Text, *, restart: bool = False) -> Setting[Path | None]:
    def accept(value: Any) -> Path | None:
        if value is None:
            return None
        if not Path(_is(str, value)).is_absolute():
            raise ValueError(f"{value!r} is no absolute path")
        return Path(value)

    return Setting(
        name,
        None,
        section,
        Kind.FOLDER,
        title,
        about,
        accept,
        lambda path: None if path is None else str(path),
        restart=restart,
    )


def web_address(text: str) -> str:
    """An http or https address without user and password, or "". Raises ValueError."""
    if not text:
        return text
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address begins with http:// or https://")
    if parts.username or parts.password:
        raise ValueError("an address must not hold a password: it would be written into the settings file")
    return text.rstrip("/")


def proxy_address(text: str) -> str:
    """The address of an HTTP or SOCKS5 proxy, or "". Raises ValueError."""
    if text.startswith(("socks5://", "socks5h://")):
        web_address("http://" + text.split("://", 1)[1])
        return text.rstrip("/")
    return web_address(text)


@dataclass(frozen=True)
class Window:
    """Where the window was: position and size in logical pixels, and whether it filled the screen."""

    x: int = 0
    y: int = 0
    width: int = 1280
    height: int = 800
    maximized: bool = False


def _window(value: Any) -> Window | None:
    if value is None:
        return None
    x, y, width, height = (_is(int, value[key]) for key in ("x", "y", "width", "height"))
    if max(map(abs, (x, y, width, height))) > 1 << 16:
        raise ValueError("no screen is so large")
    return Window(x, y, width, height, _is(bool, value.get("maximized", False)))


# ---------------------------------------------------------------- appearance
APPEARANCE: Setting[Mode] = _choice(
    "appearance",
    "system",
    Section.APPEARANCE,
    translate("Settings", "Appearance"),
    translate("Settings", "Light, dark, or as the computer is set."),
    {"system": translate("Settings", "System"), "light": translate("Settings", "Light"), "dark": translate("Settings", "Dark")},
)
FONT_SIZE = _number(
    "font_size",
    100,
    Section.APPEARANCE,
    translate("Settings", "Text size"),
    translate("Settings", "Of everything in the window."),
    85,
    150,
    5,
    "%",
)
REDUCED_MOTION = _choice(
    "reduced_motion",
    "system",
    Section.APPEARANCE,
    translate("Settings", "Reduce motion"),
    translate("Settings", "Panels appear at once; nothing slides or spins."),
    {"system": translate("Settings", "System"), "on": translate("Settings", "On"), "off": translate("Settings", "Off")},
)
LANGUAGE = _choice(
    "language",
    "system",
    Section.APPEARANCE,
    translate("Settings", "Language"),
    translate("Settings", "Of menus and messages. The model answers in yours."),
    {
        "system": translate("Settings", "System"),
        **{code: Text("", name) for code, name in (("en", "English"), ("de", "Deutsch"), ("zh_CN", "简体中文"))},
    },
    restart=True,
)

# ---------------------------------------------------------------- model and device
MODELS_FOLDER = _folder(
    "models_folder",
    Section.MODEL,
    translate("Settings", "Model folder"),
    translate("Settings", "Where downloads and built models go. What is there stays there."),
)
DEVICE = _choice(
    "device",
    "auto",
    Section.MODEL,
    translate("Settings", "Device"),
    translate("Settings", "Text runs here. The machine part always runs where it is exact."),
    {
        "auto": translate("Settings", "Automatic"),
        "mps": translate("Settings", "Apple GPU"),
        "cuda": translate("Settings", "NVIDIA GPU"),
        "cpu": translate("Settings", "Processor"),
    },
)
MEMORY_LIMIT = _number(
    "memory_limit",
    0,
    Section.MODEL,
    translate("Settings", "Memory limit"),
    translate("Settings", "Stop and say so before the computer starts to swap. 0 is no limit."),
    0,
    512 * GB,
    GB,
    "bytes",
)
KEEP_LOADED = _choice(
    "keep_loaded",
    30,
    Section.MODEL,
    translate("Settings", "Keep the model loaded"),
    translate("Settings", "Free the memory when the app is idle."),
    {
        5: translate("Settings", "For 5 minutes"),
        30: translate("Settings", "For 30 minutes"),
        120: translate("Settings", "For 2 hours"),
        0: translate("Settings", "Always"),
    },
)

# ---------------------------------------------------------------- computed values
HIGHLIGHT = _switch(
    "highlight_computed",
    True,
    Section.COMPUTED,
    translate("Settings", "Highlight computed values"),
    translate("Settings", "Tint and dotted underline for what the weights computed."),
)

# ---------------------------------------------------------------- chat
SYSTEM_PROMPT = _text(
    "system_prompt",
    Section.CHAT,
    translate("Settings", "System prompt"),
    translate("Settings", "What the model is told before every chat."),
    kind=Kind.LONG_TEXT,
)
TEMPERATURE = _number(
    "temperature",
    0.0,
    Section.CHAT,
    translate("Settings", "Temperature"),
    translate("Settings", "0 always takes the likeliest word. Computed values are exact at any temperature."),
    0.0,
    2.0,
    0.1,
)
TOP_P = _number(
    "top_p",
    1.0,
    Section.CHAT,
    translate("Settings", "Top-p"),
    translate("Settings", "Choose among the likeliest words that together have this probability."),
    0.05,
    1.0,
    0.05,
)
TOP_K = _number(
    "top_k",
    0,
    Section.CHAT,
    translate("Settings", "Top-k"),
    translate("Settings", "Choose among this many likeliest words. 0 is all."),
    0,
    1000,
    1,
)
SEED = _number(
    "seed",
    0,
    Section.CHAT,
    translate("Settings", "Seed"),
    translate("Settings", "The same seed and the same question give the same text."),
    0,
    (1 << 31) - 1,
    1,
)

# ---------------------------------------------------------------- network
ENDPOINT = _text(
    "endpoint",
    Section.NETWORK,
    translate("Settings", "Mirror"),
    translate("Settings", "Address of a hub to download from. Empty is the usual one, or HF_ENDPOINT."),
    web_address,
)
PROXY = _text(
    "proxy",
    Section.NETWORK,
    translate("Settings", "Proxy"),
    translate("Settings", "Address of an HTTP or SOCKS5 proxy. Empty is what the system says."),
    proxy_address,
)

# ---------------------------------------------------------------- storage
TRASH_DAYS = _choice(
    "trash_days",
    30,
    Section.STORAGE,
    translate("Settings", "Empty the trash"),
    translate("Settings", "Deleted chats can be restored until then."),
    {7: translate("Settings", "After 7 days"), 30: translate("Settings", "After 30 days"), 0: translate("Settings", "Never")},
)

# ---------------------------------------------------------------- remembered
SET_UP = Setting(
    "set_up",
    False,
    Section.HIDDEN,
    Kind.DATA,
    translate("Settings", "Set-up done"),
    translate("Settings", "Whether the first-run assistant was finished or left."),
    lambda value: bool(_is(bool, value)),
)
WINDOW: Setting[Window | None] = Setting(
    "window",
    None,
    Section.HIDDEN,
    Kind.DATA,
    translate("Settings", "Window"),
    translate("Settings", "Where the window was."),
    _window,
    lambda window: None if window is None else vars(window).copy(),
)
SIDEBAR = Setting(
    "sidebar",
    True,
    Section.HIDDEN,
    Kind.DATA,
    translate("Settings", "Sidebar"),
    translate("Settings", "Whether the list of chats is shown."),
    lambda value: bool(_is(bool, value)),
)
LAST_CHAT = Setting(
    "last_chat",
    "",
    Section.HIDDEN,
    Kind.DATA,
    translate("Settings", "Last chat"),
    translate("Settings", "What was open."),
    lambda value: str(_is(str, value)),
)

SETTINGS: tuple[Setting[Any], ...] = (
    APPEARANCE,
    FONT_SIZE,
    REDUCED_MOTION,
    LANGUAGE,
    MODELS_FOLDER,
    DEVICE,
    MEMORY_LIMIT,
    KEEP_LOADED,
    HIGHLIGHT,
    SYSTEM_PROMPT,
    TEMPERATURE,
    TOP_P,
    TOP_K,
    SEED,
    ENDPOINT,
    PROXY,
    TRASH_DAYS,
    SET_UP,
    WINDOW,
    SIDEBAR,
    LAST_CHAT,
)
"""All of them, in the order of the screen."""


def of_section(section: Section) -> tuple[Setting[Any], ...]:
    """The settings that a section of the screen shows."""
    return tuple(setting for setting in SETTINGS if setting.section is section)
