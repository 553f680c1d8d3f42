"""Runs attacks, each in a process of its own, and prints what came of each as a line of JSON.

An attack is a function. If it returns, it has got what it should not have, and says what; if it raises, it was
blocked. `STAKE` is what the outside has prepared to be stolen: see `arena.sandbox.attack`.
"""

import ctypes
import json
import os
import pathlib
import signal
import sys
import traceback

LIBC = ctypes.CDLL(None, use_errno=True)
STAKE = json.loads((pathlib.Path(__file__).parent / "stake.json").read_text())
X86 = os.uname().machine == "x86_64"


def call(*arguments, number=None):
    """A system call by number; raises OSError as the os module does."""
    words = [
        argument if isinstance(argument, (bytes, ctypes.Array)) else ctypes.c_long(argument) for argument in arguments
    ]
    result = LIBC.syscall(*words)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def attempt(attacks):
    """Run every attack of a dictionary, by name."""
    for name, attack in attacks.items():
        read_end, write_end = os.pipe()
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            os.close(read_end)
            signal.alarm(5)
            try:
                verdict, how = "escaped", str(attack())
            except BaseException as error:
                verdict, how = "blocked", "".join(traceback.format_exception_only(error)).strip()
            os.write(write_end, json.dumps({"attack": name, "verdict": verdict, "how": how[:300]}).encode())
            os._exit(0)
        os.close(write_end)
        text = b""
        while part := os.read(read_end, 65536):
            text += part
        os.close(read_end)
        status = os.waitpid(pid, 0)[1]
        if not text:
            text = json.dumps({"attack": name, "verdict": "blocked", "how": f"killed, status {status}"}).encode()
        print(text.decode(), flush=True)


def collect(scope, prefix="attack_"):
    """The functions of a module that are attacks, by name."""
    return {name.removeprefix(prefix): value for name, value in list(scope.items()) if name.startswith(prefix)}
