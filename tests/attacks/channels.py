"""Anything through which two bots, or two legs of a deal, could whisper to each other."""

import ctypes
import fcntl
import os
import pathlib
import select
import struct

from attempt import LIBC, STAKE, X86, attempt, call

SHARED = "/usr/bin/env"  # a file that every sandbox sees
NUMBERS = {
    "shmget": (29, 194), "shmat": (30, 196), "semget": (64, 190), "msgget": (68, 186), "msgctl": (71, 187),
    "shmctl": (31, 195), "semctl": (66, 191), "mq_open": (240, 180), "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
}  # fmt: skip
NR = {name: pair[0 if X86 else 1] for name, pair in NUMBERS.items()}


def shared_file():
    return os.open(SHARED, os.O_RDONLY)


def flock_shared():
    fcntl.flock(shared_file(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    return "a lock that the opponent can see"


def record_lock(command):
    def attack():
        fcntl.fcntl(shared_file(), command, struct.pack("=hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0))
        return "a lock that the opponent can see"

    return attack


def lease():
    fcntl.fcntl(shared_file(), fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "a lease on a shared file"


def folder_notice():
    fcntl.fcntl(os.open("/usr/bin", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)
    return "notices of a shared folder"


def inotify_shared():
    fd = call(NR["inotify_init1"], 0)
    call(NR["inotify_add_watch"], fd, SHARED.encode(), 0x1 | 0x20)
    os.close(os.open(SHARED, os.O_RDONLY))
    return f"hears when the opponent opens a file: {select.select([fd], [], [], 1)[0]}"


def hosts_shared_memory():
    number = call(NR["shmget"], STAKE["shm_key"], 16, 0)
    return f"the host's segment {number}"


def and_remove(control, make):
    """Where making it works it must not be left behind."""

    def attack():
        number = make()
        call(NR[control], number, 0, 0, 0)
        return f"object {number}"

    return attack


def message_to_sibling(folder):
    def attack():
        path = pathlib.Path(folder) / STAKE["mailbox"]
        if path.exists():
            return path.read_text()
        raise FileNotFoundError(str(path))

    return attack


def access_time():
    before = os.stat(SHARED).st_atime_ns
    pathlib.Path(SHARED).read_bytes()
    if os.stat(SHARED).st_atime_ns == before:
        raise OSError("reading leaves no trace")
    return "reading a shared file leaves a trace"


def setting(name):
    def attack():
        with open(f"/proc/sys/{name}", "r+") as file:
            file.write(file.read())
        return f"wrote {name}"

    return attack


def futex_on_shared_file():
    memory = LIBC.mmap
    memory.restype = ctypes.c_void_p
    address = memory(None, ctypes.c_size_t(4096), 3, 1, shared_file(), ctypes.c_long(0))
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "mmap")
    return "a shared file mapped to be written"


attempt(
    {
        "shared_memory_of_the_host": hosts_shared_memory,
        "shared_memory": and_remove("shmctl", lambda: call(NR["shmget"], 0x51, 4096, 0o1666)),
        "semaphores": and_remove("semctl", lambda: call(NR["semget"], 0x51, 1, 0o1666)),
        "message_queue": and_remove("msgctl", lambda: call(NR["msgget"], 0x51, 0o1666)),
        "list_message_queues": lambda: call(NR["msgctl"], 0, 3, ctypes.create_string_buffer(256)),
        "posix_message_queue": lambda: call(NR["mq_open"], b"arena", os.O_CREAT | os.O_RDWR, 0o666, 0),
        "flock": flock_shared,
        "record_lock": record_lock(fcntl.F_SETLK),
        "probe_record_lock": record_lock(fcntl.F_GETLK),
        "open_file_lock": record_lock(37),
        "lease": lease,
        "folder_notice": folder_notice,
        "inotify": inotify_shared,
        "access_time": access_time,
        "writable_mapping_of_a_shared_file": futex_on_shared_file,
        "mailbox_in_tmp": message_to_sibling("/tmp"),
        "mailbox_in_shared_memory": message_to_sibling("/dev/shm"),
        "mailbox_in_var_tmp": message_to_sibling("/var/tmp"),
        "setting_in_proc": setting("kernel/domainname"),
        "setting_of_ipc": setting("kernel/shmmax"),
        "setting_of_network": setting("net/ipv4/ip_default_ttl"),
    }
)
