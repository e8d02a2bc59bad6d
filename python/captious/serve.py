"""Answers requests one after the other. A second thread reads them, so that a cancel can arrive while a request runs."""

import collections
import faulthandler
import os
import signal
import sys
import threading

from captious.evaluator import Fatal, opened
from captious.faults import failure
from captious.frames import Broken, Frames
from captious.guard import ScriptFound
from captious.watch import ImportNotices, die_with_parent, guard_memory


class Cancelled(KeyboardInterrupt):
    """Raised inside the user's code, like Ctrl+C."""


class Server:
    def __init__(self, frames):
        self._frames = frames
        self._evaluator = None
        self._asked = collections.deque()
        self._ready = threading.Condition()
        self._cancelled = set()
        #: The id of the request that a cancel may interrupt now. Only the main thread changes it.
        self._armed = None

    def run(self):
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._listen, name="captious-requests", daemon=True).start()
        while True:
            with self._ready:
                while not self._asked:
                    # On Windows, a wait without a timeout does not notice signals.
                    self._ready.wait(0.5 if os.name == "nt" else None)
                request = self._asked.popleft()
            self._answer(request)

    def tell(self, words):
        self._write_amid_work({"type": "told", "words": words})

    def step(self):
        if self._armed is not None:
            self._write_amid_work({"type": "step", "id": self._armed})

    def _write_amid_work(self, message):
        """Delays a cancel until the frame is written, because the other side cannot read half a frame."""
        armed, self._armed = self._armed, None
        try:
            self._frames.write(message)
        finally:
            self._armed = armed
        if armed in self._cancelled:
            raise Cancelled()

    def _listen(self):
        while True:
            try:
                message = self._frames.read()
            except (Broken, ValueError, KeyError, OSError):
                message = None
            if message is None:
                return self._lost()
            if message["type"] == "ask":
                self._take(message)
            elif message["type"] == "stop":
                self._cancelled.add(message["id"])
                if self._armed == message["id"]:
                    self._stop_work()

    def _take(self, request):
        with self._ready:
            self._asked.append(request)
            self._ready.notify()

    def _stop_work(self):
        interrupt_main()

    def _lost(self) -> None:
        """The parent's pipe is closed or broken: exits at once, even if the other thread is busy."""
        os._exit(0)

    def _interrupt(self, number, frame):
        """Handles SIGINT. Ctrl+C in a terminal also reaches this process, but the parent decides when it ends."""
        if self._armed is not None and self._armed in self._cancelled:
            raise Cancelled()

    def _answer(self, request):
        number = request["id"]
        if number in self._cancelled:
            self._cancelled.discard(number)
            self._frames.write({"type": "stopping", "id": number})
            return
        try:
            self._armed = number
            if number in self._cancelled:
                raise Cancelled()
            answer = self._serve(request["name"], request["ask"])
            self._armed = None
        except Cancelled:
            self._armed = None
            self._frames.write({"type": "stopping", "id": number})
            return
        except Fatal as error:
            self._armed = None
            self._failed(error.__cause__)
            self._fail(number, error.told)
            return
        except BaseException as error:
            self._armed = None
            self._failed(error)
            self._fail(number, failure(error))
            return
        finally:
            self._cancelled.discard(number)
        try:
            self._frames.write({"type": "answer", "id": number, "answer": answer})
        except (TypeError, ValueError) as error:
            self._fail(number, failure(error))

    def _failed(self, error):
        """Called with an exception of the evaluator before it is reported."""

    def _fail(self, number, told):
        self._frames.write({"type": "fail", "id": number, "failure": told})

    def _serve(self, name, ask):
        if name == "open":
            try:
                self._evaluator = self._open(ask)
            except ScriptFound as found:
                return {"script": {"path": found.path, "sha256": found.sha256}}
            return self._evaluator.describe()
        if name == "close":
            self._evaluator.close()
            return {}
        if name in ("embed_texts", "embed_images", "score", "truncated"):
            return getattr(self._evaluator, name)(**ask)
        raise ValueError("There is no request {!r}.".format(name))

    def _open(self, ask):
        guard_memory(ask["memory"], ask["memoryExit"])
        sys.meta_path.insert(0, ImportNotices(self.tell, self.step))
        return opened(ask, self.tell)


def interrupt_main():
    """Interrupts the main thread. On POSIX it sends a real signal, which also interrupts a sleep."""
    if os.name == "nt":
        import _thread

        _thread.interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


def serve(requests, answers):
    faulthandler.enable(file=sys.stderr, all_threads=False)
    die_with_parent()
    frames = Frames(os.fdopen(requests, "rb", buffering=0), os.fdopen(answers, "wb"))
    Server(frames).run()
