"""The model's process as the app sees it: starting, loading, ready, stopped; one client for everybody who needs the worker."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Literal

from app.computer import Program, hungry
from app.faults import Fault, Surroundings, of_death, of_error
from app.texts import Text, translate
from app.worker.client import WorkerClient, WorkerError
from app.worker.death import Death
from app.worker.protocol import EMBEDDED, Error, LoadResult

State = Literal["off", "starting", "loading", "ready", "resting", "stopped"]


class Engine:
    """Starts the worker, opens the checkpoint, and says how that stands.

    client: for whatever else the worker does (launch, compile, build, verify)
    checkpoint, device: what `open` opens; None is the user's own checkpoint, else the embedded machine
    changed: called after every change of `state`; hungry: asks the system which programs use most memory
    """

    def __init__(
        self,
        client: WorkerClient,
        device: Callable[[], str] = lambda: "auto",
        clock: Callable[[], float] = time.monotonic,
        hungry: Callable[[], tuple[Program, ...]] = hungry,
    ) -> None:
        self.client = client
        self.checkpoint: str | None = None
        self.changed: list[Callable[[], None]] = []
        self.state: State = "off"
        self.death: Death | None = None
        self.error: Error | None = None
        self.loaded: LoadResult | None = None
        self._device, self._clock, self._hungry = device, clock, hungry
        self._using: tuple[Program, ...] = ()
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
        self.death, self._using = death, ()
        self._become("stopped")
        if death.kind == "out of memory":
            self._looking = asyncio.ensure_future(self._look_who_uses_it())

    async def _look_who_uses_it(self) -> None:
        """A look at all processes takes too long for the thread that draws; the card gets its last line when it is done."""
        self._using = await asyncio.to_thread(self._hungry)
        self._tell()

    def fault(self) -> Fault | None:
        """Why it stopped and what to do; None while it has not, and where it was asked to."""
        if self.death is not None:
            small = self.loaded is not None and self.loaded.checkpoint.kind == EMBEDDED
            return of_death(self.death, Surroundings(self.death.held, self.death.free, self._using, small))
        return None if self.error is None else of_error(self.error)

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
        self._tell()

    def _tell(self) -> None:
        for told in list(self.changed):
            told()
