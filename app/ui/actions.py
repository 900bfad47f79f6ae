"""Everything that has a name and a key: one table for menus, shortcuts, the palette and the settings screen."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenuBar, QWidget

STANDARD = QKeySequence.StandardKey


@dataclass(frozen=True)
class Entry:
    """name: how code asks for it; menu: where it stands; keys: its shortcut; text: what people read. A role is macOS's."""

    name: str
    menu: str
    text: str
    keys: tuple[QKeySequence | QKeySequence.StandardKey | str, ...] = ()
    role: QAction.MenuRole = QAction.MenuRole.NoRole


def entries() -> tuple[Entry, ...]:
    """All of them, in the order of the menus."""
    translate = QCoreApplication.translate
    quit_keys: tuple[QKeySequence.StandardKey | str, ...] = (STANDARD.Quit,) if sys.platform != "win32" else ("Ctrl+Q",)
    return (
        Entry("new", "file", translate("Actions", "New chat"), (STANDARD.New,)),
        Entry("search", "file", translate("Actions", "Search chats and commands"), ("Ctrl+K",)),
        Entry("import", "file", translate("Actions", "Import chats...")),
        Entry("export", "file", translate("Actions", "Export this chat...")),
        Entry("settings", "file", translate("Actions", "Settings"), ("Ctrl+,",), QAction.MenuRole.PreferencesRole),
        Entry("quit", "file", translate("Actions", "Quit"), quit_keys, QAction.MenuRole.QuitRole),
        Entry("find", "edit", translate("Actions", "Find in this chat"), (STANDARD.Find,)),
        Entry("undo_delete", "edit", translate("Actions", "Restore the deleted chat"), (STANDARD.Undo,)),
        Entry("rename", "edit", translate("Actions", "Rename this chat")),
        Entry("delete", "edit", translate("Actions", "Delete this chat")),
        Entry("stop", "chat", translate("Actions", "Stop"), ("Ctrl+.",)),
        Entry("regenerate", "chat", translate("Actions", "Answer again"), ("Ctrl+R",)),
        Entry("edit_last", "chat", translate("Actions", "Edit the last question")),
        Entry("advanced", "chat", translate("Actions", "Advanced on or off"), ("Ctrl+Shift+A",)),
        Entry("thinking", "chat", translate("Actions", "Thinking on or off")),
        Entry("restart", "chat", translate("Actions", "Restart the model")),
        Entry("sidebar", "view", translate("Actions", "Sidebar"), ("Ctrl+B",)),
        Entry("inspector", "view", translate("Actions", "Inspector"), ("Ctrl+I",)),
        Entry("playground", "view", translate("Actions", "Playground"), ("Ctrl+Shift+P",)),
        Entry("larger", "view", translate("Actions", "Larger text"), (STANDARD.ZoomIn, "Ctrl+=")),
        Entry("smaller", "view", translate("Actions", "Smaller text"), (STANDARD.ZoomOut,)),
        Entry("normal", "view", translate("Actions", "Normal text size"), ("Ctrl+0",)),
        Entry("full_screen", "view", translate("Actions", "Full screen"), (STANDARD.FullScreen,)),
        Entry("next_pane", "view", translate("Actions", "Next pane"), ("F6",)),
        Entry("previous_pane", "view", translate("Actions", "Previous pane"), ("Shift+F6",)),
        Entry("setup", "help", translate("Actions", "Set-up")),
        Entry("diagnostics", "help", translate("Actions", "Diagnostics")),
        Entry("about", "help", translate("Actions", "About qwenGPU"), (), QAction.MenuRole.AboutRole),
    )


def menu_names() -> dict[str, str]:
    """The menus, in order."""
    translate = QCoreApplication.translate
    return {
        "file": translate("Actions", "&File"),
        "edit": translate("Actions", "&Edit"),
        "chat": translate("Actions", "&Chat"),
        "view": translate("Actions", "&View"),
        "help": translate("Actions", "&Help"),
    }


def make(window: QWidget, work: dict[str, Callable[[], object]]) -> dict[str, QAction]:
    """An action for every entry that there is work for, with its shortcut in the whole window."""
    made = {}
    for entry in entries():
        if entry.name not in work:
            continue
        action = QAction(entry.text, window)
        action.setShortcuts([key if isinstance(key, QKeySequence) else QKeySequence(key) for key in entry.keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setMenuRole(entry.role)
        action.triggered.connect(lambda _=False, do=work[entry.name]: do())
        window.addAction(action)
        made[entry.name] = action
    return made


def fill(bar: QMenuBar, actions: dict[str, QAction]) -> None:
    """The menus of the window."""
    places = {entry.name: entry.menu for entry in entries()}
    for menu, title in menu_names().items():
        held = [action for name, action in actions.items() if places[name] == menu]
        if held:
            shown = bar.addMenu(title)
            for action in held:
                shown.addAction(action)


def keys_of(action: QAction) -> str:
    """A shortcut as this platform writes it."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
