"""Chats in the groups of the list: pinned, today, yesterday, the week before, then by month."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from app.chats.model import Summary
from app.texts import Text, translate

_MONTHS = (
    translate("Chats", "January"),
    translate("Chats", "February"),
    translate("Chats", "March"),
    translate("Chats", "April"),
    translate("Chats", "May"),
    translate("Chats", "June"),
    translate("Chats", "July"),
    translate("Chats", "August"),
    translate("Chats", "September"),
    translate("Chats", "October"),
    translate("Chats", "November"),
    translate("Chats", "December"),
)


def grouped(summaries: Sequence[Summary], now: datetime) -> list[tuple[Text, list[Summary]]]:
    """Groups with a heading each, in the order of the summaries. now: local time."""
    groups: dict[Text | str, tuple[Text, list[Summary]]] = {}
    for summary in summaries:
        heading = translate("Chats", "Pinned") if summary.pinned else _heading(datetime.fromtimestamp(summary.updated), now)
        groups.setdefault(str(heading), (heading, []))[1].append(summary)
    return list(groups.values())


def _heading(at: datetime, now: datetime) -> Text:
    days = (now.date() - at.date()) / timedelta(days=1)
    if days < 1:
        return translate("Chats", "Today")
    if days < 2:
        return translate("Chats", "Yesterday")
    if days < 8:
        return translate("Chats", "Previous 7 days")
    if at.year == now.year:
        return _MONTHS[at.month - 1]
    return translate("Chats", "{month} {year}").format(month=_MONTHS[at.month - 1], year=at.year)
