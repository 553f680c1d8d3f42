"""Seeing, touching, stopping or killing another process."""

import ctypes
import os
import pathlib
import signal
import struct

from attempt import STAKE, X86, attempt, call

NUMBERS = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "kcmp": (312, 272), "setns": (308, 268), "process_madvise": (440, 440), "migrate_pages": (256, 238),
    "move_pages": (279, 239), "prlimit64": (302, 261), "rt_sigqueueinfo": (129, 138),
}  # fmt: skip
NR = {name: pair[0 if X86 else 1] for name, pair in NUMBERS.items()}
SEIZE = 0x4206  # a way of tracing that does not stop the other: the referee is to survive this
REFEREE, SIBLING = STAKE["referee_pid"], STAKE["sibling_pid"]


def other_processes():
    mine = {os.getpid(), os.getppid()}
    others = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in mine]
    strange = {pid: pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()[:80] for pid in others if pid != 1}
    strange = {pid: text for pid, text in strange.items() if b"processes.py" not in text}
    if not strange:
        raise OSError("none but its own")
    return strange


def proc_file(pid, name):
    return lambda: pathlib.Path(f"/proc/{pid}/{name}").read_bytes()[:100] or _raise("empty")


def proc_link(pid, name):
    return lambda: os.readlink(f"/proc/{pid}/{name}")


def _raise(text):
    raise OSError(text)


def send(pid, which):
    def attack():
        os.kill(pid, which)
        return f"signal {which} to {pid}"

    return attack


def pidfd(pid):
    def attack():
        fd = os.pidfd_open(pid)
        signal.pidfd_send_signal(fd, 0)
        return f"holds process {pid}"

    return attack


def vm_read(pid):
    def attack():
        buffer = ctypes.create_string_buffer(64)
        local = struct.pack("=QQ", ctypes.addressof(buffer), 64)
        remote = struct.pack("=QQ", id(attack), 64)
        return call(NR["process_vm_readv"], pid, local, 1, remote, 1, 0)

    return attack


def own_child_by_ptrace():
    pid = os.fork()
    if pid == 0:
        signal.pause()
    try:
        call(NR["ptrace"], SEIZE, pid, 0, 0)
        return "traces its child"
    finally:
        os.kill(pid, signal.SIGKILL)


def kill_first_process():
    os.kill(1, signal.SIGSTOP)
    status = pathlib.Path("/proc/1/stat").read_text()
    return status if ") T" in status else _raise("it goes on")


def leave_the_group():
    if os.fork() == 0:
        os.setsid()
        os._exit(0 if os.getsid(0) == os.getpid() else 1)
    _, status = os.wait()
    if os.waitstatus_to_exitcode(status) != 0:
        raise OSError("it stays in its group")
    return "a session of its own"


def raise_limit_of_another():
    now = ctypes.create_string_buffer(16)
    call(NR["prlimit64"], REFEREE, 7, 0, now)
    call(NR["prlimit64"], REFEREE, 7, now, 0)  # to what it is: the referee is to survive this
    return "limited the referee"


def namespace_of(pid, kind):
    def attack():
        fd = os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY)
        return call(NR["setns"], fd, 0)

    return attack


def write_memory_of(pid):
    def attack():
        with open(f"/proc/{pid}/mem", "r+b"):
            return f"memory of {pid}"

    return attack


attempt(
    {
        "other_processes": other_processes,
        "environment_of_first": proc_file(1, "environ"),
        "command_line_of_first": proc_file(1, "cmdline"),
        "maps_of_first": proc_file(1, "maps"),
        "mountinfo_of_first": proc_file(1, "mountinfo"),
        "root_of_first": proc_link(1, "root"),
        "program_of_first": proc_link(1, "exe"),
        "memory_of_first": write_memory_of(1),
        "environment_of_parent": proc_file(REFEREE, "environ"),
        "command_line_of_referee": proc_file(REFEREE, "cmdline"),
        "memory_of_referee": write_memory_of(REFEREE),
        "command_line_of_sibling": proc_file(SIBLING, "cmdline"),
        "folder_of_sibling": proc_link(SIBLING, "cwd"),
        "probe_referee": send(REFEREE, 0),
        "probe_sibling": send(SIBLING, 0),
        "stop_sibling": send(SIBLING, signal.SIGSTOP),
        "kill_sibling": send(SIBLING, signal.SIGKILL),
        "kill_group_of_sibling": send(-SIBLING, signal.SIGKILL),
        "hold_referee": pidfd(REFEREE),
        "hold_sibling": pidfd(SIBLING),
        "read_memory_of_referee": vm_read(REFEREE),
        "read_own_memory_by_process_vm": vm_read(os.getpid()),
        "read_memory_of_sibling": vm_read(SIBLING),
        "trace_first": lambda: call(NR["ptrace"], SEIZE, 1, 0, 0),
        "trace_referee": lambda: call(NR["ptrace"], SEIZE, REFEREE, 0, 0),
        "trace_sibling": lambda: call(NR["ptrace"], SEIZE, SIBLING, 0, 0),
        "trace_own_child": own_child_by_ptrace,
        "trace_me": lambda: call(NR["ptrace"], 0, 0, 0, 0),
        "compare_with_first": lambda: call(NR["kcmp"], os.getpid(), 1, 0, 0, 0),
        "kill_first": kill_first_process,
        "leave_the_process_group": leave_the_group,
        "limit_referee": raise_limit_of_another,
        "join_mount_namespace": namespace_of(1, "mnt"),
        "join_network_of_referee": namespace_of(REFEREE, "net"),
        "join_own_user_namespace": namespace_of("self", "user"),
    }
)
