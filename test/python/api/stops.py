"""An audit that never ends by itself. Prints the engine's process id once the evaluator is busy."""

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


class Busy(Towers):
    def embed_texts(self, texts):
        print(started[0], flush=True)
        if how == "interrupt":
            threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        if how == "engine":
            os.kill(started[0], signal.SIGKILL)
        time.sleep(600)


try:
    captious.audit(os.path.join(SAMPLES, "captions.json"), "lgip", Busy(), images=IMAGES, out=sys.argv[2], progress=False)
except KeyboardInterrupt:
    print("KeyboardInterrupt", flush=True)
except captious.CaptiousError as error:
    print("CaptiousError", str(error).splitlines()[0], flush=True)
