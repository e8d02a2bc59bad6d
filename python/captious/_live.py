"""Serves objects of this process as evaluators, over a loopback connection that needs a token."""

from __future__ import annotations

import contextlib
import hmac
import queue
import re
import secrets
import signal
import socket
import threading
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from captious.evaluator import Evaluator
from captious.frames import Frames
from captious.serve import Cancelled, Server, interrupt_main

#: Seconds in which a connection must send its token, and the most bytes of token and name.
GREETING_SECONDS = 10
MOST_GREETING = 512


class NoModules:
    """Records nothing. The sources of a live object are unknown: they may be cells of a notebook."""

    sources: Dict[str, str] = {}

    def news(self) -> Dict[str, str]:
        return {}

    def native(self) -> List[str]:
        return []


class Checkpoint:
    """An object at one step of its training."""

    def __init__(self, held: Any, step: int) -> None:
        self.held = held
        self.step = step


class Held(Evaluator):
    def __init__(self, held: object, name: str, tell: Any, live: Live) -> None:
        self._live = live
        self._step: Optional[int] = held.step if isinstance(held, Checkpoint) else None
        super().__init__(held.held if isinstance(held, Checkpoint) else held, name, NoModules(), tell)

    def describe(self) -> Dict[str, Any]:
        said: Dict[str, Any] = super().describe()
        if self._step is not None:
            # A fingerprint does not tell the steps apart. The step comes first, because a name may have numbers, too.
            said["info"].pop("fingerprint", None)
            said["info"]["name"] = "step {} of {}".format(self._step, said["info"].get("name") or type(self._object).__name__)
        # The code and its arguments are in no file, so files of weights alone do not identify the results.
        if said["info"].get("fingerprint") is None:
            said["info"].pop("weights", None)
        said["info"].setdefault("name", type(self._object).__name__)
        return said

    def _left_out(self, error: BaseException) -> None:
        self._live.item_error = error

    def close(self) -> None:
        """The object is the caller's and stays open."""


class Guest(Server):
    """One connection of the engine. Its requests are answered by the thread that waits for the run."""

    def __init__(self, frames: Frames, held: object, name: str, live: Live) -> None:
        super().__init__(frames)
        self._held = held
        self._name = name
        self._live = live
        self._is_lost = False

    def listen(self) -> None:
        self._listen()

    def answer(self, request: Mapping[str, Any]) -> None:
        if not self._is_lost:
            with contextlib.suppress(BrokenPipeError, ConnectionError, ValueError):
                self._answer(request)

    def is_cancelled(self) -> bool:
        return self._armed is not None and (self._is_lost or self._armed in self._cancelled)

    def leave(self) -> None:
        """Interrupts the running request, whose answer nobody reads any more."""
        self._is_lost = True
        armed = self._armed
        if armed is not None:
            self._cancelled.add(armed)
            self._stop_work()

    def _take(self, request: Mapping[str, Any]) -> None:
        self._live.requests.put((self, request))

    def _stop_work(self) -> None:
        self._live.interrupt()

    def _lost(self) -> None:
        self.leave()

    def _failed(self, error: BaseException) -> None:
        # Cancelled is a KeyboardInterrupt too, but never arrives here.
        if isinstance(error, KeyboardInterrupt):
            raise error
        self._live.error = error

    def _open(self, ask: Mapping[str, Any]) -> Held:
        return Held(self._held, self._name, self.tell, self._live)


class Live:
    """The objects of one run by name, and the connections to them."""

    def __init__(self, held: Mapping[str, object]) -> None:
        #: Pairs of a connection and a request, and whatever else the waiting thread must hear.
        self.requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
        #: The last exception that made a whole evaluator fail.
        self.error: Optional[BaseException] = None
        #: The last exception for a single item, which is left out.
        self.item_error: Optional[BaseException] = None
        self._held = held
        self._token = secrets.token_hex(32)
        self._guests: List[Tuple[Guest, socket.socket]] = []
        self._lock = threading.Lock()
        #: Whether a signal may interrupt the main thread now, and whether this object has sent the signal.
        self._may_interrupt = False
        self._has_interrupted = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, name="captious-live", daemon=True).start()

    def variable(self) -> str:
        return "{} {}".format(self._listener.getsockname()[1], self._token)

    def leave(self) -> None:
        """Interrupts work for an engine that has ended."""
        for guest, _ in list(self._guests):
            guest.leave()

    def close(self) -> None:
        self._listener.close()
        self.leave()
        for _, peer in self._guests:
            with contextlib.suppress(OSError):
                peer.shutdown(socket.SHUT_RDWR)
            peer.close()

    def interrupt(self) -> None:
        with self._lock:
            if self._may_interrupt:
                self._has_interrupted = True
                interrupt_main()

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """While it is entered, the engine can cancel the object's work. Only the main thread can be interrupted."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGINT)

        def interrupted(number: int, frame: Any) -> None:
            if self._has_interrupted:
                self._has_interrupted = False
                if any(guest.is_cancelled() for guest, _ in self._guests):
                    raise Cancelled()
            elif callable(before):
                before(number, frame)
            else:
                raise KeyboardInterrupt()

        signal.signal(signal.SIGINT, interrupted)
        self._may_interrupt = True
        try:
            yield
        finally:
            with self._lock:
                self._may_interrupt = False
            signal.signal(signal.SIGINT, before)

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._greet, args=(peer,), name="captious-live", daemon=True).start()

    def _greet(self, peer: socket.socket) -> None:
        try:
            name = self._named(peer)
            if name is None:
                return
            frames = Frames(peer.makefile("rb", buffering=0), peer.makefile("wb"))
            guest = Guest(frames, self._held[name], name, self)
            self._guests.append((guest, peer))
            guest.listen()
        except OSError:
            pass
        finally:
            peer.close()

    def _named(self, peer: socket.socket) -> Optional[str]:
        """The name that a connection asks for; None without the token."""
        peer.settimeout(GREETING_SECONDS)
        said = b""
        # The other side sends nothing more until it is asked, except to this one line.
        while not said.endswith(b"\n"):
            piece = peer.recv(1)
            if not piece or len(said) > MOST_GREETING:
                return None
            said += piece
        token, _, name = said.decode("utf-8", "replace").strip().partition(" ")
        if not hmac.compare_digest(token.encode(), self._token.encode()) or name not in self._held:
            return None
        peer.settimeout(None)
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return name


def named(held: List[object]) -> Dict[str, object]:
    """Names for objects: their class, with a number if the name is taken."""
    names: Dict[str, object] = {}
    for one in held:
        base = re.sub(r"[^A-Za-z0-9_.-]", "_", type(one).__name__) or "Evaluator"
        name, number = base, 1
        while name in names:
            number += 1
            name = "{}-{}".format(base, number)
        names[name] = one
    return names
