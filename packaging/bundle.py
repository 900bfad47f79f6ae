"""Builds the app for this platform: `python packaging/bundle.py --out FOLDER`.

A folder that needs no Python on Linux and Windows, `qwenGPU.app` on macOS; then the archive that is given away: `.tar.gz`,
`.zip`, `.dmg`. Run it in an environment that holds the app and PyInstaller and nothing else: `pip install '.[package]'`.

On macOS, `--identity "Developer ID Application: NAME (TEAM)"` signs with the hardened runtime, and `--notary-profile PROFILE`
(stored by `xcrun notarytool store-credentials`) has Apple check the image and staples the ticket. Without them the app is
signed ad hoc: it runs on this Mac, others ask their user first. Only building on Linux was ever tried.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

PACKAGING = Path(__file__).parent
ROWS = 25
"""Lines of the size report."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="build the app for this platform")
    parser.add_argument("--out", type=Path, default=Path("dist"), help="folder for the bundle and its archive (default: dist)")
    parser.add_argument("--identity", help="macOS: whose certificate signs")
    parser.add_argument("--notary-profile", help="macOS: the keychain profile for Apple's notary service")
    parser.add_argument("--no-archive", action="store_true", help="leave it at the folder")
    chosen = parser.parse_args(arguments)
    out = chosen.out.absolute()
    app = build(out, chosen.identity)
    print(report(app), flush=True)
    if sys.platform == "darwin":
        sign(app, chosen.identity)
    if not chosen.no_archive:
        print(archive(app, out, chosen.identity, chosen.notary_profile))
    return 0


def build(out: Path, identity: str | None) -> Path:
    """The bundle: draw the icon, let PyInstaller work, put what belongs beside the programs there."""
    work = out / "work"
    work.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "QWENGPU_BUILD": str(work), "QWENGPU_IDENTITY": identity or ""}
    quiet = {**environment, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, str(PACKAGING / "icon.py"), str(work)], check=True, env=quiet)
    subprocess.run(
        [
            sys.executable,
            "-m",
            "PyInstaller",
            "--noconfirm",
            "--log-level=WARN",
            "--distpath",
            str(out),
            "--workpath",
            str(work),
            str(PACKAGING / "qwengpu.spec"),
        ],
        check=True,
        env=environment,
    )
    if sys.platform == "darwin":
        return out / "qwenGPU.app"
    if sys.platform == "linux":
        shutil.copy(work / "icon.png", out / "qwengpu" / "qwengpu.png")
        shutil.copy(PACKAGING / "linux" / "qwengpu.desktop", out / "qwengpu")
    return out / "qwengpu"


def report(app: Path) -> str:
    """What is in a bundle, the largest parts first (MB)."""
    inside = app / "Contents" if app.suffix == ".app" else app / "_internal"
    sizes: Counter[str] = Counter()
    for file in app.rglob("*"):
        if file.is_file() and not file.is_symlink():
            base = inside if inside in file.parents else app
            sizes["/".join(file.relative_to(base).parts[:2])] += file.stat().st_size
    lines = [f"{count / 1e6:8.1f} MB  {name}" for name, count in sizes.most_common(ROWS)]
    rest = sum(sizes.values()) - sum(count for _, count in sizes.most_common(ROWS))
    return "\n".join([*lines, f"{rest / 1e6:8.1f} MB  everything else", f"{sum(sizes.values()) / 1e6:8.1f} MB  in all"])


def sign(app: Path, identity: str | None) -> None:
    """Sign a Mac app and all that is in it, with the hardened runtime where somebody signs."""
    hardened = ["--options", "runtime", "--timestamp", "--entitlements", str(PACKAGING / "macos" / "entitlements.plist")]
    subprocess.run(
        ["codesign", "--force", "--deep", *(hardened if identity else []), "--sign", identity or "-", str(app)], check=True
    )
    subprocess.run(["codesign", "--verify", "--deep", "--strict", str(app)], check=True)


def archive(app: Path, out: Path, identity: str | None, profile: str | None) -> Path:
    """The one file that is given away."""
    if sys.platform == "darwin":
        return image(app, out, identity, profile)
    if sys.platform == "win32":
        return Path(shutil.make_archive(str(out / "qwengpu"), "zip", out, app.name))
    target = out / "qwengpu.tar.gz"
    with tarfile.open(target, "w:gz", compresslevel=6) as packed:
        packed.add(app, app.name)
    return target


def image(app: Path, out: Path, identity: str | None, profile: str | None) -> Path:
    """A disk image with the app and a link to Applications; notarised where a profile is given."""
    folder, target = out / "image", out / "qwenGPU.dmg"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    subprocess.run(["ditto", str(app), str(folder / app.name)], check=True)  # copies the links of frameworks as links
    (folder / "Applications").symlink_to("/Applications")
    subprocess.run(
        ["hdiutil", "create", "-volname", "qwenGPU", "-srcfolder", str(folder), "-ov", "-format", "UDZO", str(target)],
        check=True,
    )
    if identity:
        subprocess.run(["codesign", "--force", "--timestamp", "--sign", identity, str(target)], check=True)
    if profile:
        subprocess.run(["xcrun", "notarytool", "submit", str(target), "--keychain-profile", profile, "--wait"], check=True)
        subprocess.run(["xcrun", "stapler", "staple", str(target)], check=True)
    return target


if __name__ == "__main__":
    sys.exit(main())
