"""The hub token: in a keychain where there is one, in a private file where there is none, for one endpoint only."""

import stat

import pytest
from keyring.backend import KeyringBackend

from app.keychain import FILE, Keychain
from engine.machine.errors import EnvironmentProblem, InputError


class Drawer(KeyringBackend):
    """A keychain in memory."""

    priority = 5
    name = "Drawer"

    def __init__(self):
        super().__init__()
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        del self.kept[service, username]


class Locked(Drawer):
    def get_password(self, service, username, password=""):
        raise RuntimeError("locked")

    set_password = delete_password = get_password


@pytest.fixture
def use(monkeypatch):
    """Makes a keychain the system's; none to begin with, and nobody is logged in."""
    monkeypatch.setattr("huggingface_hub.get_token", lambda: None)
    monkeypatch.delenv("HF_ENDPOINT", raising=False)

    def choose(backend):
        monkeypatch.setattr("keyring.get_keyring", lambda: backend)
        return backend

    from keyring.backends.fail import Keyring

    choose(Keyring())
    return choose


def test_a_token_lies_in_the_systems_keychain(use, tmp_path):
    drawer, keychain = use(Drawer()), Keychain(tmp_path)
    assert keychain.token() == "" and "Drawer" in keychain.place()
    assert keychain.keep("  hf_secret  ") == keychain.place()
    assert keychain.token() == "hf_secret" and list(drawer.kept.values()) == ["hf_secret"] and not list(tmp_path.iterdir())
    keychain.forget()
    assert keychain.token() == "" and not drawer.kept
    keychain.forget()


def test_without_a_keychain_it_lies_in_a_file_of_its_owner(use, tmp_path):
    keychain = Keychain(tmp_path / "config")
    assert str(tmp_path / "config" / FILE) in keychain.keep("hf_secret") and "no keychain" in keychain.place()
    assert keychain.token() == "hf_secret"
    assert stat.S_IMODE((tmp_path / "config" / FILE).stat().st_mode) == 0o600
    keychain.forget()
    assert keychain.token() == "" and "hf_secret" not in (tmp_path / "config" / FILE).read_text()


def test_a_keychain_that_appears_takes_over(use, tmp_path):
    keychain = Keychain(tmp_path)
    keychain.keep("hf_old")
    use(Drawer())
    assert keychain.token() == "hf_old"
    keychain.keep("hf_new")
    assert keychain.token() == "hf_new" and "hf_old" not in (tmp_path / FILE).read_text()


def test_a_token_belongs_to_one_endpoint(use, tmp_path, monkeypatch):
    use(Drawer())
    keychain = Keychain(tmp_path)
    keychain.keep("hf_usual")
    keychain.keep("hf_mirror", "https://mirror.example")
    assert keychain.token("https://mirror.example/") == "hf_mirror" and keychain.token("https://other.example") == ""
    assert keychain.token() == "hf_usual"
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example")
    assert keychain.token() == "hf_mirror"


def test_a_login_of_the_hub_counts_for_the_usual_hub_only(use, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.get_token", lambda: "hf_login")
    assert Keychain(tmp_path).token() == "hf_login" and Keychain(tmp_path).token("https://mirror.example") == ""


def test_a_locked_keychain_is_named(use, tmp_path):
    use(Locked())
    keychain = Keychain(tmp_path)
    assert keychain.token() == ""
    with pytest.raises(EnvironmentProblem, match="did not take the token: locked"):
        keychain.keep("hf_secret")


@pytest.mark.parametrize("token", ["", " ", "two words", "line\nbreak", "x" * 501, "é" * 10])
def test_what_is_no_token_is_refused(use, tmp_path, token):
    with pytest.raises(InputError, match="no access token"):
        Keychain(tmp_path).keep(token)


def test_a_damaged_file_is_no_token(use, tmp_path):
    (tmp_path / FILE).write_text("[")
    assert Keychain(tmp_path).token() == ""
    Keychain(tmp_path).keep("hf_new")
    assert Keychain(tmp_path).token() == "hf_new"


def test_an_unwritable_folder_is_named(use, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblem, match="cannot be kept"):
        Keychain(tmp_path / "file").keep("hf_secret")
