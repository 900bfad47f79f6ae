"""What a step of the assistant shows and offers: sentences, rows, actions. The widgets draw it and decide nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from app.texts import Text


class Step(Enum):
    """The four steps, in order."""

    COMPUTER = 1
    MODEL = 2
    BUILD = 3
    SELF_TEST = 4


class Mark(Enum):
    """The sign before a row or a step."""

    TODO = "todo"
    RUNNING = "running"
    DONE = "done"
    WARNING = "warning"
    PROBLEM = "problem"
    PAUSED = "paused"


class Action(Enum):
    """What a person can do. The app does it and tells the assistant what came of it."""

    TRY_SMALL = "try small"
    QUIT = "quit"
    BACK = "back"
    CONTINUE = "continue"
    CONTINUE_ANYWAY = "continue anyway"
    CHECK_AGAIN = "check again"
    COPY_DETAILS = "copy details"
    CHOOSE_MODELS_FOLDER = "choose models folder"
    DOWNLOAD = "download"
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    DISCARD = "discard"
    HAVE_IT = "have it"
    NETWORK = "network"
    LICENCE = "licence"
    BUILD = "build"
    LOG = "log"
    REPORT = "report"
    TEST = "test"
    STEP_THROUGH = "step through"
    CHAT = "chat"


@dataclass(frozen=True)
class Offer:
    """An action on the screen. primary: the one button that stands out; reason: why it cannot be pressed now."""

    action: Action
    label: Text
    enabled: bool = True
    primary: bool = False
    reason: Text | None = None


@dataclass(frozen=True)
class Row:
    """A line of a step's card.

    key:    which row ("memory", "disk", "device", "compiler", a file's path, ..)
    value:  the number at the right
    notes:  further sentences in the row's own box; offers: buttons in it
    """

    key: str
    mark: Mark
    title: Text | str
    sentence: Text | str = ""
    value: Text | str = ""
    notes: tuple[Text | str, ...] = ()
    offers: tuple[Offer, ...] = ()
    fraction: float | None = None


@dataclass(frozen=True)
class StepLine:
    """A step in the list at the left. reachable: it can be chosen now."""

    step: Step
    title: Text
    line: Text | str
    mark: Mark
    current: bool
    reachable: bool


@dataclass(frozen=True)
class Meter:
    """A running work's figures: fraction from 0 to 1, None while unknown; the texts beside the bar."""

    fraction: float | None
    amount: Text | str = ""
    rate: Text | str = ""
    left: Text | str = ""


@dataclass(frozen=True)
class View:
    """Everything a step shows.

    sentence: what happens here and why; rows: its card; meter: the bar, where something runs or has run
    note:     the line under the card; problem: what went wrong, what is kept, what to do (an error card)
    footer:   the buttons at the bottom, left to right, the primary one last; links: the text links above them
    """

    step: Step
    title: Text
    sentence: Text
    rows: tuple[Row, ...] = ()
    meter: Meter | None = None
    note: Text | None = None
    problem: tuple[Text | str, ...] = ()
    links: tuple[Offer, ...] = ()
    footer: tuple[Offer, ...] = ()
    steps: tuple[StepLine, ...] = ()
