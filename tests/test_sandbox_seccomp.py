"""The system-call filter, run by an interpreter of classic BPF against the table it was assembled from."""

import errno
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.sandbox import seccomp
from arena.sandbox.syscalls import NUMBERS

ALLOW, KILL, ERRNO = seccomp.RET_ALLOW, seccomp.RET_KILL_PROCESS, seccomp.RET_ERRNO
MACHINES = tuple(seccomp.ARCHITECTURES)


def interpret(program: list[seccomp.Instruction], number: int, arch: int, arguments: tuple[int, ...] = ()) -> int:
    """What the kernel would return: the few instructions that the assembler uses, on little-endian data."""
    data = struct.pack("<IIQ6Q", number & 0xFFFFFFFF, arch, 0, *(arguments + (0,) * 6)[:6])
    at, accumulator = 0, 0
    while True:
        code, met, unmet, value = program[at]
        if code == seccomp.LOAD:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == seccomp.AND:
            accumulator &= value
        elif code == seccomp.EQUAL:
            at += met if accumulator == value else unmet
        elif code == seccomp.GREATER:
            at += met if accumulator > value else unmet
        elif code == seccomp.RETURN:
            return value
        else:
            raise AssertionError(f"unknown instruction {code:#x}")
        at += 1


def verdict(rules: list[seccomp.Rule], column: int, number: int, arguments: tuple[int, ...]) -> int:
    """The table read as a table: the first rule that fits decides."""
    if number > seccomp.NEWEST_CHECKED:
        return ERRNO | errno.ENOSYS
    for rule in rules:
        if NUMBERS[rule.call][column] == number and all(
            ((arguments[test.argument] & test.mask & 0xFFFFFFFF) == test.value) == test.equal for test in rule.tests
        ):
            return ERRNO | rule.error
    return ALLOW


TABLES = {
    "bots": seccomp.rules(),
    "builds": seccomp.rules(locks=True),
    "fallback": seccomp.strict_rules(4711, signals=False),
}
INTERESTING = st.sampled_from(
    [0, 1, 2, 5, 7, 38, 1024, 1026, 4711, 0x5412, 0x541C, 0xFFFFFFFF, 0x11, 0x10000000, 0x20000, 0x7E020000]
)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=60)
@given(data=st.data())
def test_the_program_does_what_the_table_says(machine: str, name: str, data: st.DataObject) -> None:
    column, arch = seccomp.ARCHITECTURES[machine]
    named = [number for numbers in NUMBERS.values() if (number := numbers[column]) is not None]
    number = data.draw(st.sampled_from(named) | st.integers(0, 500))
    arguments = tuple(data.draw(st.lists(INTERESTING | st.integers(0, 2**64 - 1), min_size=6, max_size=6)))
    program = seccomp.assemble(TABLES[name], machine)
    assert interpret(program, number, arch, arguments) == verdict(TABLES[name], column, number, arguments)


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architecture_is_killed(machine: str) -> None:
    program = seccomp.assemble(seccomp.rules(), machine)
    for arch in (0x40000003, 0x40000028, 0xC00000F3, *(arch for _, arch in seccomp.ARCHITECTURES.values())):
        if arch != seccomp.ARCHITECTURES[machine][1]:
            assert interpret(program, 1, arch) == KILL


@pytest.mark.parametrize("number", [0x40000000, 0x40000027, 452, 1000, 0xFFFFFFFF])
def test_x32_and_unknown_numbers_do_not_exist(number: int) -> None:
    program = seccomp.assemble(seccomp.rules(), "x86_64")
    assert interpret(program, number, 0xC000003E) == ERRNO | errno.ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_no_jump_leaves_the_program_and_the_kernel_takes_its_size(machine: str) -> None:
    for table in TABLES.values():
        program = seccomp.assemble(table, machine)
        assert len(program) <= 4096
        assert len(seccomp.encode(program)) == 8 * len(program)
        for at, (code, met, unmet, _) in enumerate(program):
            if code in (seccomp.EQUAL, seccomp.GREATER):
                assert max(met, unmet) < 256
                assert at + 1 + max(met, unmet) < len(program)


def test_what_runtimes_need_is_allowed() -> None:
    program = seccomp.assemble(seccomp.rules(), "x86_64")
    needed = {"read": 0, "write": 1, "mmap": 9, "mprotect": 10, "clone": 56, "fork": 57, "execve": 59, "futex": 202}
    needed |= {"openat": 257, "epoll_wait": 232, "getrandom": 318, "statx": 332, "rseq": 334, "close_range": 436}
    thread_flags = 0x3D0F00
    for name, number in needed.items():
        assert interpret(program, number, 0xC000003E, (thread_flags,)) == ALLOW, name


def test_a_socket_pair_is_for_unix_sockets_only() -> None:
    program = seccomp.assemble(seccomp.rules(), "x86_64")
    number = NUMBERS["socketpair"][0]
    assert number is not None
    assert interpret(program, number, 0xC000003E, (1,)) == ALLOW
    assert interpret(program, number, 0xC000003E, (2,)) == ERRNO | errno.EACCES
