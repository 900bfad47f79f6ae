"""What is kept is counted and cleared, and nothing else."""

import pytest

from app.preferences import MODELS_FOLDER
from app.settings import Settings
from app.storage import Kept, clear, measure

PLACES = {
    Kept.CHATS: "data/qwengpu/chats/a.jsonl",
    Kept.TRASH: "data/qwengpu/chats/trash/b.jsonl",
    Kept.LAUNCHES: "data/qwengpu/launches/c.json",
    Kept.CHECKPOINTS: "data/qwengpu/checkpoints/m/build_report.json",
    Kept.MODELS: "data/qwengpu/models/q/.download.json",
    Kept.CACHE: "cache/qwengpu/machines/x/machine.safetensors",
    Kept.LOGS: "state/qwengpu/log/error.log",
}


@pytest.fixture
def filled(home, paths):
    for number, place in enumerate(PLACES.values(), 1):
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        (home / place).write_bytes(bytes(1000 * number))
    (paths.chats / ".lock").write_text("")
    paths.chat_index.write_bytes(bytes(7))
    (paths.models / "mine").mkdir()
    (paths.models / "mine" / "notes.txt").write_text("not the app's")
    return home


def test_everything_is_counted(filled, paths):
    amounts = {amount.kept: amount for amount in measure(paths, Settings())}
    assert [amounts[kept].bytes for kept in Kept] == [1000 * number for number in range(1, 8)]
    assert all(amount.files == 1 and str(amount.title) and str(amount.about) for amount in amounts.values())
    assert {kept for kept in Kept if amounts[kept].again} == {Kept.CHECKPOINTS, Kept.MODELS, Kept.CACHE, Kept.LOGS}


def test_nothing_is_no_bytes(paths):
    assert all(amount.bytes == 0 and amount.files == 0 for amount in measure(paths, Settings()))
    assert all(clear(kept, paths, Settings()) == 0 for kept in Kept)


@pytest.mark.parametrize("kept", Kept)
def test_clearing_takes_one_thing_only(filled, paths, kept):
    freed = clear(kept, paths, Settings())
    gone = {other for other in Kept if not (filled / PLACES[other]).exists()}
    assert gone == {kept} and freed == 1000 * (list(Kept).index(kept) + 1)
    assert (paths.models / "mine" / "notes.txt").exists() and paths.chat_index.exists() and (paths.chats / ".lock").exists()


def test_in_a_folder_that_was_chosen_only_what_the_app_made(filled, paths, tmp_path):
    for name, mark in (
        ("built", "build_report.json"),
        ("fetched", ".download.json"),
        ("begun.partial", "journal.json"),
        ("mine", "thesis.txt"),
        ("other.partial", "data.bin"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / mark).write_bytes(bytes(10))
    settings = Settings().with_value(MODELS_FOLDER, tmp_path)
    assert clear(Kept.CHECKPOINTS, paths, settings) == 4020 and clear(Kept.MODELS, paths, settings) == 5010
    assert {path.name for path in tmp_path.iterdir()} == {"mine", "other.partial"}


def test_links_are_removed_and_never_followed(filled, paths, tmp_path):
    (tmp_path / "precious").write_text("keep me")
    (paths.launches / "link.json").symlink_to(tmp_path / "precious")
    (paths.launches / "folder").symlink_to(tmp_path)
    clear(Kept.LAUNCHES, paths, Settings())
    assert (tmp_path / "precious").read_text() == "keep me" and not list(paths.launches.iterdir())
