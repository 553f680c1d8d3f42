"""Getting more than the limits give."""

import ctypes
import mmap
import os
import pathlib
import resource
import subprocess
import threading
import time

from attempt import LIBC, STAKE, attempt

LONG_S = 0.5  # of having them: where no kernel limit counts them, somebody looks every now and then
SCRATCH = os.environ.get("TMPDIR", "/tmp")
NAMES = [name for name in dir(resource) if name.startswith("RLIMIT_")]


def raise_limit(name):
    def attack():
        which = getattr(resource, name)
        _, hard = resource.getrlimit(which)
        if hard == resource.RLIM_INFINITY:
            raise OSError("is unlimited by design")
        resource.setrlimit(which, (hard + 1, hard + 1))
        return f"{name} beyond {hard}"

    return attack


def renice():
    os.setpriority(os.PRIO_PROCESS, 0, -5)
    return "more important than others"


def nice_down():
    os.nice(5)
    return "changed its priority"


def real_time():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return "real-time scheduling"


def batch():
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    return "another scheduling class"


def leave_the_cores():
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    return "chose its own cores"


def more_cores_than_given():
    if len(os.sched_getaffinity(0)) > STAKE["cores"]:
        return os.sched_getaffinity(0)
    raise OSError("as many as given")


def lock_memory():
    memory = mmap.mmap(-1, 1 << 20)
    if LIBC.mlock(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(memory))), ctypes.c_size_t(1 << 20)) != 0:
        raise OSError(ctypes.get_errno(), "mlock")
    return "locked 1 MiB"


def open_files():
    files = [os.open("/dev/null", os.O_RDONLY) for _ in range(1024)]
    return f"{len(files)} open files"


def large_file():
    path = pathlib.Path(SCRATCH) / "large"
    with path.open("wb") as file:
        file.truncate((STAKE["disk_mb"] + 1) << 20)
    return "a file beyond the limit"


def fill_disk():
    written = 0
    for number in range(STAKE["disk_mb"] * 4):
        (pathlib.Path(SCRATCH) / f"f{number}").write_bytes(bytes(1 << 20))
        written += 1
    return f"{written} MiB in /tmp"


def fill_shared_memory():
    for number in range(64):
        pathlib.Path(f"/dev/shm/f{number}").write_bytes(bytes(1 << 20))
    return "64 MiB in /dev/shm"


def fill_dev():
    pathlib.Path("/dev/f").write_bytes(bytes(1 << 20))
    return "1 MiB in /dev"


def many_processes():
    sleepers = []
    try:
        for _ in range(STAKE["processes"] + 8):
            pid = os.fork()
            if pid == 0:
                threading.Event().wait(3)
                os._exit(0)
            sleepers.append(pid)
        time.sleep(LONG_S)
    finally:
        for pid in sleepers:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
    return f"{len(sleepers)} processes"


def many_threads():
    stop = threading.Event()
    threads = [threading.Thread(target=stop.wait, daemon=True) for _ in range(STAKE["processes"] + 8)]
    try:
        for thread in threads:
            thread.start()
        time.sleep(LONG_S)
    finally:
        stop.set()
    return f"{len(threads)} threads"


def core_dump():
    code = subprocess.run(["sh", "-c", "ulimit -c unlimited"], check=False, stderr=subprocess.DEVNULL).returncode
    if code != 0:
        raise OSError("no core files")
    return "core files"


def become_root():
    os.setresuid(0, 0, 0)
    return "root"


def become_another():
    os.setresuid(60707, 60707, 60707)
    return "another user"


attacks = {f"raise_{name.removeprefix('RLIMIT_').lower()}": raise_limit(name) for name in NAMES}
attempt(
    attacks
    | {
        "renice": renice,
        "nice_down": nice_down,
        "real_time": real_time,
        "batch_scheduling": batch,
        "choose_cores": leave_the_cores,
        "more_cores_than_given": more_cores_than_given,
        "lock_memory": lock_memory,
        "open_files": open_files,
        "large_file": large_file,
        "fill_disk": fill_disk,
        "fill_shared_memory": fill_shared_memory,
        "fill_dev": fill_dev,
        "core_dump": core_dump,
        "become_root": become_root,
        "become_another_user": become_another,
        # Last: where no limit of the kernel applies the watchdog ends the whole bot.
        "many_processes": many_processes,
        "many_threads": many_threads,
    }
)
