"""Arrays of a launch for other programs: CSV, JSON, and text for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from app.files import reason, replace_file
from app.inspection.records import Launch, Record
from engine.machine.errors import InputError


def inputs(launch: Launch) -> dict[str, list[int | float]]:
    """The arrays that the host passed, by name."""
    return {a.name: list(a.values) for a in launch.arrays if a.values is not None}


def as_json(record: Record) -> str:
    """Everything that went in and came out."""
    launches = [
        {
            "kernel": launch.record.function,
            "inputs": inputs(launch),
            "outputs": {name: list(values) for name, values in launch.record.outputs.items()},
        }
        for launch in record.launches
    ]
    return (
        json.dumps({"expression": record.receipt.expression, "value": record.receipt.value, "launches": launches}, indent=2)
        + "\n"
    )


def as_csv(launch: Launch) -> str:
    """One column an array, the header names it; shorter columns end early."""
    columns = {
        **{f"{name} (in)": values for name, values in inputs(launch).items()},
        **{name: list(values) for name, values in launch.record.outputs.items()},
    }
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["index", *columns])
    for row in range(max(map(len, columns.values()), default=0)):
        writer.writerow([row, *(values[row] if row < len(values) else "" for values in columns.values())])
    return text.getvalue()


def as_text(record: Record) -> str:
    """The result as a line of text."""
    receipt = record.receipt
    if record.launches and record.launches[-1].faulted:
        return f"{record.title}: stopped by a fault"
    if receipt.expression:
        return f"{receipt.expression} = {receipt.value}"
    return "\n".join(f"{name} = {list(values)}" for name, values in record.launches[0].record.outputs.items())


def save_table(record: Record, launch: Launch, path: Path) -> None:
    """Write a table; the name's ending chooses CSV or JSON. Raises InputError when the file cannot be written."""
    text = as_csv(launch) if path.suffix.lower() == ".csv" else as_json(record)
    try:
        replace_file(path, text.encode())
    except (OSError, ValueError) as error:
        raise InputError(f"the table cannot be written: {reason(error)}", str(path), "choose another folder") from None
