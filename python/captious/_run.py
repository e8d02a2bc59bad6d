"""Runs the engine: starts it, answers for live evaluators, shows progress, and turns its failures into exceptions."""

from __future__ import annotations

import json
import logging
import os
import queue
import subprocess
import threading
import time
import warnings
from typing import Any, Callable, Dict, List, Optional

from captious._live import Live
from captious._node import command, environment

#: Seconds that an interrupted engine may use to stop by itself.
GRACE = 0.7
#: Problems of a dataset that are logged. The report counts all of them.
MOST_PROBLEMS = 10

#: Seconds between two states of the progress bar, because each is stored in a notebook without widgets.
SHOWN_SECONDS = 1.0

logger = logging.getLogger("captious")


class CaptiousError(Exception):
    """What Captious could not do, and why. If an evaluator's code failed, its exception is the cause.

    `code` names the sentence, if the engine has one for it. It stays the same if the sentence changes.
    """

    def __init__(self, message: str = "", code: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code


def started(words: List[str]) -> List[str]:
    try:
        return command() + words
    except FileNotFoundError as error:
        raise CaptiousError(str(error)) from None


def asked(words: List[str]) -> str:
    """Runs a short command of the engine and returns what it prints."""
    done = subprocess.run(started(words), stdin=subprocess.DEVNULL, capture_output=True, env=talking())
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        errors = [event for event in map(event_in, lines) if event is not None and event["type"] == "error"]
        raise failure_of(errors[-1] if errors else None, lines, done.returncode)
    return done.stdout.decode("utf-8")


def audited(words: List[str], held: Dict[str, object], show: bool) -> List[str]:
    """Runs an audit that may score with objects of this process. Returns the paths of the reports."""
    live = Live(held)
    run = Run(words, live, Progress() if show else None)
    try:
        with live.interruptible():
            run.wait()
    finally:
        run.stop()
        live.close()
    if run.code != 0:
        raise failure_of(run.error, run.words, run.code) from (live.error or live.item_error)
    return run.reports


class Run:
    def __init__(self, words: List[str], live: Live, progress: Optional[Progress]) -> None:
        self.reports: List[str] = []
        self.words: List[str] = []
        self.code: Optional[int] = None
        self.error: Optional[Dict[str, Any]] = None
        self._problems = 0
        self._live = live
        self._progress = progress
        variables = {**talking(), "CAPTIOUS_LIVE": live.variable()}
        # In a session of its own, so that Ctrl+C reaches only this process, which then stops the engine. The engine
        # stops by itself when the pipe to its standard input is closed, even if this process is killed.
        self._process = subprocess.Popen(
            started(words + ["--events"]),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=variables,
            start_new_session=True,
        )
        threading.Thread(target=self._read, name="captious-events", daemon=True).start()

    def wait(self) -> None:
        """Answers the engine until it ends. The evaluator's code runs in the calling thread."""
        while self.code is None:
            what = self._next()
            if isinstance(what, str):
                self._hear(what)
            elif isinstance(what, int):
                self.code = what
            elif what is not None:
                guest, request = what
                guest.answer(request)

    def stop(self) -> None:
        process = self._process
        if self._progress is not None:
            self._progress.close()
        if process.stdin is not None:
            process.stdin.close()
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
        process.wait()

    def _next(self) -> Any:
        try:
            # On Windows, a wait without a timeout does not notice Ctrl+C.
            return self._live.requests.get(timeout=0.2 if os.name == "nt" else None)
        except queue.Empty:
            return None

    def _read(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as lines:
            for line in lines:
                self._live.requests.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        code = self._process.wait()
        self._live.requests.put(code)
        # The evaluator may be busy with a batch that nobody waits for.
        self._live.leave()

    def _hear(self, line: str) -> None:
        event = event_in(line)
        if event is None:
            self.words.append(line)
        elif event["type"] == "error":
            self.error = event
        elif event["type"] == "report":
            self.reports.append(event["path"])
        elif event["type"] == "notice":
            logger.info("%s", event["message"])
        elif event["type"] == "problem":
            self._problems += 1
            if self._problems <= MOST_PROBLEMS:
                place = event["problem"].get("place")
                logger.warning("%s%s", "line {}: ".format(place["line"]) if place else "", event["problem"]["message"])
        elif event["type"] == "progress" and self._progress is not None:
            self._progress.show(event["probe"], event["progress"])


class Progress:
    """A progress bar of tqdm, in notebooks as well. Nothing without tqdm."""

    def __init__(self) -> None:
        self._make: Optional[Callable[..., Any]] = None
        self._bar: Any = None
        self._probe = ""
        self._next = 0.0
        try:
            with warnings.catch_warnings():
                # Without ipywidgets, the bar is text.
                warnings.simplefilter("ignore")
                from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]

                self._make = tqdm
        except ImportError:
            pass

    def show(self, probe: str, progress: Dict[str, Any]) -> None:
        if self._make is None:
            return
        if probe != self._probe:
            self.close()
            form = "{percentage:3.0f} %|{bar}| {desc}"
            self._bar = self._make(total=100, desc=probe, bar_format=form, leave=False)
            self._probe = probe
            self._next = 0.0
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + SHOWN_SECONDS
        left = progress.get("secondsLeft")
        self._bar.n = round(100 * progress.get("fraction", 0))
        known = "" if left is None else ", {:.0f} s left".format(left)
        self._bar.set_description_str("{}: {} examples{}".format(probe, progress["examples"], known), refresh=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None


def talking() -> Dict[str, str]:
    """The environment of an engine whose errors are events, too."""
    return {**environment(), "CAPTIOUS_EVENTS": "1"}


def event_in(line: str) -> Optional[Dict[str, Any]]:
    """The event that the engine wrote as a line of JSON; None if the line is none."""
    try:
        event = json.loads(line) if line.startswith("{") else None
    except ValueError:
        return None
    return event if isinstance(event, dict) and isinstance(event.get("type"), str) else None


def failure_of(error: Optional[Dict[str, Any]], words: List[str], code: Optional[int]) -> CaptiousError:
    """The engine's error, or how it ended if it wrote none."""
    if error is not None:
        return CaptiousError(error["message"], error.get("code"))
    last = "\n".join(words[-5:])
    return CaptiousError("The engine of Captious ended with code {}.{}".format(code, "\n" + last if last else ""))
