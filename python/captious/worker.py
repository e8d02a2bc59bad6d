"""Serves one evaluator to Captious over pipes. Run by path, in the interpreter that has the evaluator's packages."""

import os
import sys


def take_pipes():
    """Detaches the pipes from standard input and output, so that neither print nor native code writes into them."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if os.name == "nt":
        import msvcrt

        for pipe in (requests, answers):
            msvcrt.setmode(pipe, os.O_BINARY)
    return requests, answers


if __name__ == "__main__":
    pipes = take_pipes()
    here = os.path.dirname(os.path.abspath(__file__))
    # The search path must not contain this file's folder, because its modules would hide the user's modules.
    # Python must not write bytecode into this folder.
    sys.path[:] = [os.path.dirname(here)] + [path for path in sys.path if os.path.abspath(path or ".") != here]
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    from captious.serve import serve

    del sys.path[0]
    sys.dont_write_bytecode = writes
    serve(*pipes)
