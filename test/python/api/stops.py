"""An audit that never ends by itself. Once the evaluator is busy, prints the engine's process id and how many items
the evaluator has answered.

With "late", the evaluator answers some batches first. With "engine" and "late engine", it kills the engine."""

import os
import signal
import subprocess
import sys
import threading
import time

from toys import IMAGES, SAMPLES, Towers

import captious

how = sys.argv[1]
started = []
Popen = subprocess.Popen


class Noted(Popen):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        started.append(self.pid)


subprocess.Popen = Noted


ANSWERED = 16


class Busy(Towers):
    def embed_texts(self, texts):
        if "late" in how and self.calls < ANSWERED:
            return super().embed_texts(texts)
        print(started[0], self.items, flush=True)
        # Whoever reads the line looks for the engine's processes.
        sys.stdin.readline()
        if how == "interrupt":
            threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        if "engine" in how:
            os.kill(started[0], signal.SIGKILL)
        time.sleep(600)


try:
    held = {"Busy": Busy({"fingerprint": sys.argv[2]})}
    captious.audit(os.path.join(SAMPLES, "captions.json"), "lgip", held, images=IMAGES, out=sys.argv[2], progress=False)
except KeyboardInterrupt:
    print("KeyboardInterrupt", flush=True)
except captious.CaptiousError as error:
    print("CaptiousError", str(error).splitlines()[0], flush=True)
