"""Using up memory, processes, CPU, disk; outliving the game. One attack a run, named on the command line."""

import ctypes
import mmap
import os
import pathlib
import signal
import sys
import threading
import time

MB = 1 << 20
SCRATCH = os.environ.get("TMPDIR", "/tmp")


def fill(mb):
    blocks = []
    for _ in range(mb):
        blocks.append(b"\1" * MB)
        time.sleep(0.0002)
    return blocks


def memory_one():
    fill(2000)


def memory_many():
    for _ in range(12):
        if os.fork() == 0:
            fill(30)
            time.sleep(60)
    time.sleep(60)


def memory_shared():
    memory = mmap.mmap(-1, 2000 * MB)
    for offset in range(0, 2000 * MB, MB):
        memory[offset : offset + MB] = b"\1" * MB
        time.sleep(0.0002)


def memory_swapped_between_children():
    """Each child dies before the next one grows, but all share the pages."""
    memory = mmap.mmap(-1, 400 * MB)
    for part in range(4):
        if os.fork() == 0:
            for offset in range(part * 100 * MB, (part + 1) * 100 * MB, MB):
                memory[offset : offset + MB] = b"\1" * MB
                time.sleep(0.0002)
            os._exit(0)
        os.wait()
    for offset in range(0, 400 * MB, 4096):
        assert memory[offset] >= 0
    time.sleep(60)


def page_tables():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    size = 2 << 30
    for _ in range(25):
        address = libc.mmap(None, ctypes.c_size_t(size), 1, 0x4022, -1, ctypes.c_long(0))  # read, private, noreserve
        if address == ctypes.c_void_p(-1).value:
            break
        libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), 15)  # no huge pages
        for offset in range(0, size, 2 * MB):
            assert ctypes.c_char.from_address(address + offset).value == b"\0"
    time.sleep(60)


def disk():
    number = 0
    while True:
        (pathlib.Path(SCRATCH) / f"f{number}").write_bytes(bytes(MB // 2))
        number += 1


def inodes_in(folder):
    number = 0
    while True:
        os.close(os.open(f"{folder}/f{number}", os.O_CREAT | os.O_WRONLY))
        number += 1


def inodes_in_tmp():
    inodes_in(SCRATCH)


def inodes_in_shm():
    inodes_in("/dev/shm")


def forks():
    while True:
        try:
            os.fork()
        except OSError:
            pass


def threads():
    while True:
        try:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError:
            time.sleep(0.001)


def cpu():
    while True:
        pass


def cpu_in_children():
    while True:
        if os.fork() == 0:
            until = time.process_time() + 0.1
            while time.process_time() < until:
                pass
            os._exit(0)
        os.wait()


def cpu_in_children_nobody_waits_for():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        pid = os.fork()
        if pid == 0:
            until = time.process_time() + 0.05
            while time.process_time() < until:
                pass
            os._exit(0)
        try:
            os.waitpid(pid, 0)
        except ChildProcessError:
            pass


def daemon():
    """A daemon by the book: two forks, a session of its own, deaf to every signal."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in range(1, signal.NSIG):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError):
                    pass
            os.chdir("/")
            for fd in range(3):
                os.close(fd)
            while True:
                time.sleep(0.01)
        os._exit(0)
    os.wait()
    print("started", flush=True)


def holder_of_stdout():
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(0.01)
    print("started", flush=True)


def stdout_flood():
    for _ in range(256):
        os.write(1, b"x" * MB)


def stderr_flood():
    for _ in range(100):
        os.write(2, b"x" * MB)


def deaf():
    for number in range(1, signal.NSIG):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    print("started", flush=True)
    while True:
        time.sleep(0.01)


def many_descendants():
    for _ in range(6):
        os.fork()
    print("started", flush=True)
    while True:
        time.sleep(0.01)


globals()[sys.argv[1]]()
