"""Sizes, speeds and times as people read them: decimal units, three digits, no seconds beyond two minutes."""

from __future__ import annotations

from app.texts import Text, translate

_UNITS = ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"), (1, "B"))


def size(count: float) -> str:
    """Bytes, such as "4.55 GB", "214 GB", "12.8 MB"."""
    scale, unit = _unit(count)
    return f"{_three(count / scale)} {unit}"


def size_of(have: float, total: float) -> Text:
    """Bytes of a total in the total's unit, such as "2.69 of 4.55 GB"."""
    scale, unit = _unit(total)
    return translate("Quantities", "{have} of {total} {unit}").format(
        have=_places(have / scale, _decimals(total / scale)), total=_three(total / scale), unit=unit
    )


def memory(count: float) -> str:
    """Bytes of memory in the units that memory is sold in, such as "16 GB", "11.2 GB"."""
    return f"{_three(count / (1 << 30))} GB" if count >= 1 << 30 else f"{_three(count / (1 << 20))} MB"


def memory_of(have: float, total: float) -> Text:
    """Bytes of a computer's memory, such as "11.2 of 32 GB"."""
    return size_of(have * (1000 / 1024) ** 3, total * (1000 / 1024) ** 3)


def speed(count: float) -> str:
    """Bytes a second, such as "24.6 MB/s"."""
    return f"{size(count)}/s"


def percent(fraction: float) -> str:
    """A share from 0 to 1 as whole percent; 100 % only when everything is done."""
    return f"{min(99 if fraction < 1 else 100, int(fraction * 100))}%"


def duration(seconds: float) -> Text:
    """A time, such as "45 s", "1 min 20 s", "7 min", "2 h 5 min"."""
    whole = max(0, round(seconds))
    if whole < 60:
        return translate("Quantities", "{seconds} s").format(seconds=whole)
    if whole <= 120:
        return translate("Quantities", "{minutes} min {seconds} s").format(minutes=whole // 60, seconds=whole % 60)
    minutes = round(whole / 60)
    if minutes < 60:
        return translate("Quantities", "{minutes} min").format(minutes=minutes)
    return translate("Quantities", "{hours} h {minutes} min").format(hours=minutes // 60, minutes=minutes % 60)


def exact_duration(seconds: float) -> Text:
    """A time that is over, such as "11 min 48 s"."""
    whole = max(0, round(seconds))
    if whole < 60:
        return translate("Quantities", "{seconds} s").format(seconds=whole)
    return translate("Quantities", "{minutes} min {seconds} s").format(minutes=whole // 60, seconds=whole % 60)


def remaining(seconds: float | None) -> Text:
    """Such as "about 4 min left"; rounded to 5 s, so that it does not flicker."""
    if seconds is None:
        return translate("Quantities", "time left not known yet")
    if seconds <= 5:
        return translate("Quantities", "a few seconds left")
    return translate("Quantities", "about {time} left").format(time=duration(round(seconds / 5) * 5))


def _unit(count: float) -> tuple[int, str]:
    return next(((scale, unit) for scale, unit in _UNITS if abs(count) >= scale * 0.9995), _UNITS[-1])


def _decimals(value: float) -> int:
    return 0 if abs(value) >= 99.95 else 1 if abs(value) >= 9.995 else 2


def _places(value: float, places: int) -> str:
    return f"{value:.{places}f}"


def _three(value: float) -> str:
    written = _places(value, _decimals(value))
    return written.rstrip("0").rstrip(".") if "." in written else written
