"""The fallback's first program: confines itself with Landlock and seccomp, then becomes the bot.

Run as a file by the referee's interpreter, isolated (`-I -S`), so it uses the standard library alone. Its one
argument is the number of a descriptor with a JSON object:

    read, write    paths: everything below may be read and run; may be written
    landlock_abi   what the kernel has
    filter         the seccomp program in hexadecimal; `own_pid_marker` in it stands for this process's number
    greeting, go   what to say when confined, what to wait for
    argv, env      what to become
"""

import ctypes
import json
import os
import struct
import sys

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 1, 38, 22, 2
SIGKILL = 9
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
RULE_PATH_BENEATH = 1

# Rights of <linux/landlock.h>.
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
# Highest right by ABI: 13 make/remove rights, refer (2), truncate (3), ioctl on devices (5).
RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
NETWORK_RIGHTS = 0b11  # bind and connect TCP, from ABI 4
SCOPES = 0b11  # abstract unix sockets and signals, from ABI 6

_libc = ctypes.CDLL(None, use_errno=True)


def main(configuration_fd: int) -> None:
    with os.fdopen(configuration_fd, encoding="utf-8") as file:
        wanted = json.load(file)
    parent = os.getppid()
    _call("parent-death signal", _libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
    _call("no new privileges", _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _restrict(wanted["landlock_abi"], wanted["read"], wanted["write"])
    if os.getppid() != parent:
        return  # it died before it could take this process along
    os.write(1, wanted["greeting"].encode())
    if _read_line() != wanted["go"].encode():
        return
    _filter(bytes.fromhex(wanted["filter"]), wanted["own_pid_marker"])
    os.execvpe(wanted["argv"][0], wanted["argv"], wanted["env"])  # noqa: S606 - a bot's argv, never a shell


def _restrict(abi: int, read: list[str], write: list[str]) -> None:
    handled = (1 << RIGHTS_BY_ABI.get(abi, 16)) - 1
    attributes = struct.pack("=QQQ", handled, NETWORK_RIGHTS if abi >= 4 else 0, SCOPES if abi >= 6 else 0)
    attributes = attributes[: 8 if abi < 4 else 16 if abi < 6 else 24]
    ruleset = _call("a ruleset", _libc.syscall(CREATE_RULESET, attributes, len(attributes), 0))
    for path in read:
        _allow(ruleset, path, EXECUTE | READ_FILE | READ_DIR)
    for path in write:
        _allow(ruleset, path, (READ_FILE | WRITE_FILE | TRUNCATE) & handled)
    _call("Landlock", _libc.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):  # noqa: PTH112 - pathlib is not needed for anything else here
        rights &= ~READ_DIR
    rule = struct.pack("=Qi", rights, fd)
    _call(f"a rule for {path}", _libc.syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule, 0))
    os.close(fd)


def _filter(program: bytes, own_pid_marker: int) -> None:
    program = program.replace(struct.pack("=I", own_pid_marker), struct.pack("=I", os.getpid()))
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    _call("seccomp", _libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0))


def _read_line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            break
        line += byte
    return line


def _call(what: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


if __name__ == "__main__":
    main(int(sys.argv[1]))
