"""The model's process as the app sees it: starting, loading, ready, stopped; one client for everybody who needs the worker."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from app.texts import Text, translate
from app.worker.client import Death, WorkerClient, WorkerError
from app.worker.protocol import DIED, Error, LoadResult

State = Literal["off", "starting", "loading", "ready", "resting", "stopped"]


class Engine:
    """Starts the worker, opens the checkpoint, and says how that stands.

    client: for whatever else the worker does (launch, compile, build, verify)
    checkpoint, device: what `open` opens; None is the user's own checkpoint, else the embedded machine
    changed: called after every change of `state`
    """

    def __init__(
        self, client: WorkerClient, device: Callable[[], str] = lambda: "auto", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.client = client
        self.checkpoint: str | None = None
        self.changed: list[Callable[[], None]] = []
        self.state: State = "off"
        self.death: Death | None = None
        self.error: Error | None = None
        self.loaded: LoadResult | None = None
        self._device, self._clock = device, clock
        self._since = clock()

    @property
    def seconds(self) -> int:
        """How long the present state has lasted."""
        return int(self._clock() - self._since)

    async def open(self) -> bool:
        """Start the worker if there is none, and open the checkpoint; whether it is ready. Nothing is raised."""
        self.death = self.error = None
        try:
            self._become("starting")
            if self.client.condition != "ready":
                await self.client.start()
            self._become("loading")
            result = await self.client.request("load", checkpoint=self.checkpoint, device=self._device()).result()
        except WorkerError as failed:
            self.error = failed.error
            self._become("stopped")
            return False
        self.loaded = result if isinstance(result, LoadResult) else None
        self._become("ready")
        return True

    async def rest(self) -> None:
        """Give the model's memory back until somebody asks again."""
        self._become("resting")
        await self.client.close()

    async def restart(self) -> bool:
        """End the process and begin again."""
        self._become("starting")
        try:
            await self.client.restart()
        except WorkerError as failed:
            self.error = failed.error
            self._become("stopped")
            return False
        return await self.open()

    async def close(self) -> None:
        """End the process."""
        await self.client.close()
        self._become("off")

    def died(self, death: Death) -> None:
        """The client's `on_exit`."""
        self.death = death
        self._become("stopped")

    def failure(self) -> Error | None:
        """Why it stopped, as an error; None while it has not."""
        if self.death is not None:
            return Error("", DIED, self.death.detail, facts={"kind": self.death.kind, "stderr": self.death.stderr})
        return self.error

    def status(self) -> Text:
        """What the status line says."""
        if self.state == "loading":
            return translate("Engine", "Loading the model... {seconds} s").format(seconds=self.seconds)
        return {
            "off": translate("Engine", "Not started"),
            "starting": translate("Engine", "Starting..."),
            "ready": translate("Engine", "Ready"),
            "resting": translate("Engine", "Resting"),
            "stopped": translate("Engine", "Stopped"),
        }[self.state]

    def place(self) -> str:
        """The model and where it runs."""
        if self.loaded is None:
            return ""
        name = {"cpu": "CPU", "mps": "MPS", "cuda": "CUDA"}.get(self.loaded.device, self.loaded.device)
        return f"{self.loaded.checkpoint.name} · {name}"

    def _become(self, state: State) -> None:
        self.state, self._since = state, self._clock()
        for told in list(self.changed):
            told()
