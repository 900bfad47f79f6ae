"""What the screens work with: one of each, made by `app.ui.application` and handed to every page."""

from __future__ import annotations

from dataclasses import dataclass

from app.chats.store import ChatStore
from app.chatting.controller import Chatting
from app.chatting.engine import Engine
from app.paths import Paths
from app.ui.choices import Choices


@dataclass
class Desk:
    """paths: the user's folders; choices: the settings; store: the chats; engine: the model's process, with `engine.client` for

    whatever else the worker does; chatting: questions on their way
    """

    paths: Paths
    choices: Choices
    store: ChatStore
    engine: Engine
    chatting: Chatting
