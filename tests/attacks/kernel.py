"""System calls that reach around the walls, or open the kernel's rarely used doors."""

import ctypes
import fcntl
import mmap
import os
import platform
import struct

from attempt import LIBC, X86, attempt, call

NUMBERS = {
    "unshare": (272, 97), "clone": (56, 220), "clone3": (435, 435), "io_uring_setup": (425, 425), "bpf": (321, 280),
    "userfaultfd": (323, 282), "perf_event_open": (298, 241), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "pivot_root": (155, 41), "chroot": (161, 51), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "fanotify_init": (300, 262), "name_to_handle_at": (303, 264), "quotactl": (179, 60),
    "acct": (163, 89), "swapon": (167, 224), "reboot": (169, 142), "kexec_load": (246, 104), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "syslog": (103, 116), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "sethostname": (170, 161), "personality": (135, 92),
    "vhangup": (153, 58), "io_setup": (206, 0), "open_tree": (428, 428), "fsopen": (430, 430), "fsmount": (432, 432),
    "mount_setattr": (442, 442), "vmsplice": (278, 75), "lookup_dcookie": (212, 18), "mbind": (237, 235),
    "statmount": (457, 457), "listmount": (458, 458), "lsm_get_self_attr": (459, 459),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None),
    "ustat": (136, None), "sysfs": (139, None),
}  # fmt: skip
NR = {name: pair[0 if X86 else 1] for name, pair in NUMBERS.items() if pair[0 if X86 else 1] is not None}
ROOM = ctypes.create_string_buffer(4096)
NAMESPACES = {
    "mount": 0x20000, "cgroup": 0x2000000, "uts": 0x4000000, "ipc": 0x8000000, "user": 0x10000000, "pid": 0x20000000,
    "net": 0x40000000, "time": 0x80,
}  # fmt: skip


def plain(name, *arguments):
    return lambda: f"{name}: {call(NR[name], *arguments)}"


def by_clone(flag):
    def attack():
        pid = call(NR["clone"], flag | 17, 0, 0, 0, 0)
        if pid == 0:
            os._exit(0)
        return f"a child with {flag:#x}"

    return attack


def by_clone3(flag):
    def attack():
        arguments = struct.pack("=11Q", flag, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
        pid = call(NR["clone3"], arguments, len(arguments))
        if pid == 0:
            os._exit(0)
        return f"a child with {flag:#x}"

    return attack


def machine_code(code):
    """Run bytes as a function; returns what it leaves in the result register."""
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    function = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    return function()


def abi_32_bit():
    if platform.machine() != "x86_64":
        raise OSError("no 32-bit door here")
    result = machine_code(b"\x53\xb8\x14\x00\x00\x00\xcd\x80\x5b\xc3")  # getpid as number 20 through int 0x80
    if result <= 0:
        raise OSError("no answer")
    return f"getpid through int 0x80: {result}"


def abi_x32():
    return f"getpid as x32: {call(0x40000000 | 39)}"


def unknown_call():
    for number in (452, 460, 463, 467, 470, 500, 1000, 0x3FFFFFFF):
        try:
            call(number, 0, 0, 0, 0, 0, 0)
        except OSError as error:
            if error.errno != 38:
                return f"call {number} answers {error}"
    raise OSError("all unknown")


def push_input(request):
    def attack():
        _, writer = os.openpty()
        fcntl.ioctl(writer, request, b"x")
        return "put a key into a terminal"

    return attack


def foreign_personality():
    return call(NR["personality"], 0x0400000)


def write_and_execute_elsewhere():
    return call(NR["memfd_create"], b"x", 0)


attacks = {f"unshare_{name}": plain("unshare", flag) for name, flag in NAMESPACES.items()}
attacks |= {f"clone_{name}": by_clone(flag) for name, flag in NAMESPACES.items() if name != "time"}
attacks |= {f"clone3_{name}": by_clone3(flag) for name, flag in NAMESPACES.items()}
attacks |= {
    "io_uring": plain("io_uring_setup", 8, ROOM),
    "bpf_map": plain("bpf", 0, struct.pack("=IIII", 1, 4, 4, 1) + bytes(100), 116),
    "userfaultfd": plain("userfaultfd", 1),
    "perf_events": plain("perf_event_open", struct.pack("=IIQ", 1, 112, 0) + bytes(112), 0, -1, -1, 0),
    "add_key": plain("add_key", b"user", b"name", b"data", 4, -2),
    "request_key": plain("request_key", b"user", b"name", b"", -2),
    "session_keyring": plain("keyctl", 0, -3, 1),
    "join_keyring": plain("keyctl", 1, b"arena"),
    "pivot_root": plain("pivot_root", b"/tmp", b"/tmp"),
    "chroot": plain("chroot", b"/"),
    "memory_file": plain("memfd_create", b"x", 0),
    "secret_memory": plain("memfd_secret", 0),
    "fanotify": plain("fanotify_init", 0, 0),
    "name_to_handle": plain("name_to_handle_at", -100, b"/", struct.pack("=Ii", 128, 0) + bytes(128), ROOM, 0),
    "quotactl": plain("quotactl", 0x800007 << 8, b"/dev/vda", 0, ROOM),
    "accounting": plain("acct", 0),
    "swapon": plain("swapon", b"/tmp/swap", 0),
    "reboot": plain("reboot", 0xFEE1DEAD, 672274793, 0, 0),  # "Ctrl-Alt-Del does not reboot": harmless if it works
    "kexec": plain("kexec_load", 0, 0, 0, 0),
    "init_module": plain("init_module", b"", 0, b""),
    "finit_module": plain("finit_module", 0, b"", 0),
    "delete_module": plain("delete_module", b"no_such", 0),
    "kernel_log": plain("syslog", 3, ROOM, 4096),
    "adjust_clock": plain("adjtimex", struct.pack("=I", 0x8000) + bytes(300)),
    "vhangup": plain("vhangup"),
    "aio": plain("io_setup", 1, ctypes.create_string_buffer(8)),
    "open_tree": plain("open_tree", -100, b"/", 1),
    "fsopen": plain("fsopen", b"tmpfs", 0),
    "mount_setattr": plain("mount_setattr", -100, b"/", 0, struct.pack("=4Q", 0, 1, 0, 0), 32),
    "vmsplice": plain("vmsplice", 1, struct.pack("=QQ", 0, 0), 0, 0),
    "list_mounts": plain("listmount", struct.pack("=IIQQQ", 24, 0, 0xFFFFFFFFFFFFFFFF, 0, 0), ROOM, 100, 0),
    "personality": foreign_personality,
    "abi_32_bit": abi_32_bit,
    "abi_x32": abi_x32,
    "calls_unknown_to_the_filter": unknown_call,
    "terminal_input": push_input(0x5412),
    "terminal_linux": push_input(0x541C),
}
if X86:
    attacks |= {
        "io_ports": plain("iopl", 3),
        "io_permissions": plain("ioperm", 0, 1, 1),
        "segments": plain("modify_ldt", 1, struct.pack("=III I", 0, 0, 0xFFFFF, 0x51), 16),
        "uselib": plain("uselib", b"/bin/sh"),
        "ustat": plain("ustat", os.stat("/").st_dev, ROOM),
    }
assert LIBC
attempt(attacks)
