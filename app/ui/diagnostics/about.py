"""What the app is, and under which licences its parts are."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from app.licences import Component, components
from app.ui.assistant.frame import Brand
from app.ui.language import shown
from app.ui.theme import theme
from app.ui.widgets import Button, Dialog, Elided, Label, Paragraph, line

LICENCE = 26
"""Characters of a licence's name that the list has room for; the rest is in its tooltip and in its text."""


def named(name: str) -> Component:
    """The part of this name."""
    return next(part for part in components() if part.name == name)


class LicenceDialog(Dialog):
    """The licence of one part, to read and to copy."""

    def __init__(self, part: Component, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Licence of {name}").format(name=part.name), parent, 640)
        text = QPlainTextEdit()
        text.setProperty("kind", "field")
        text.setReadOnly(True)
        text.setFont(theme().font("grid"))
        text.setPlainText(part.text())
        text.setMinimumHeight(theme().px(360))
        text.setAccessibleName(self.tr("Licence of {name}").format(name=part.name))
        self.body.addWidget(text)
        self.add_button(self.tr("Close"), "primary").clicked.connect(self.accept)


class AboutDialog(Dialog):
    """Name, version, what it is, and all parts with their licences. `diagnostics_requested` for whoever needs more."""

    diagnostics_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("About qwenGPU"), parent, 640)
        parts = components()
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(Brand(40), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(Label("qwenGPU Desktop", "heading"))
        words.addWidget(Label(self.tr("Version {version}").format(version=parts[0].version or "–"), "small", "text.tertiary"))
        words.addSpacing(6)
        words.addWidget(
            Paragraph(
                self.tr(
                    "A chat whose language model computes: a GPU is compiled into its weights, and CUDA kernels run in its own "
                    "forward passes. Nothing leaves this computer."
                ),
                "ui",
                "text.secondary",
            )
        )
        head.addLayout(words, 1)
        self.body.addLayout(head)
        self.body.addWidget(line())
        self.body.addWidget(self._parts(parts))
        self.add_button(self.tr("Diagnostics"), "quiet", "activity", left=True).clicked.connect(self.diagnostics_requested)
        self.add_button(self.tr("Close"), "primary").clicked.connect(self.accept)

    def sizeHint(self) -> QSize:
        """Room for a dozen parts."""
        return QSize(theme().px(640), theme().px(560))

    def _parts(self, parts: tuple[Component, ...]) -> QScrollArea:
        page = QWidget()
        page.setProperty("transparent", True)
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 12, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, part in enumerate(parts):
            grid.addWidget(Label(f"{part.name} {part.version}".strip()), row, 0)
            grid.addWidget(Elided(shown(part.about), "small", "text.tertiary"), row, 1)
            button = Button(
                part.licence if len(part.licence) <= LICENCE else f"{part.licence[: LICENCE - 1].rstrip()}…", "link"
            )
            button.setToolTip(part.licence)
            button.setAccessibleName(self.tr("Licence of {name}: {licence}").format(name=part.name, licence=part.licence))
            button.clicked.connect(lambda _=False, chosen=part: LicenceDialog(chosen, self).open())
            grid.addWidget(button, row, 2, Qt.AlignmentFlag.AlignRight)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        return scroll
