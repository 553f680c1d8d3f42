"""A bot's build step: it compiles, it is confined, and what it leaves cannot be changed."""

import os
import shutil
import stat
from pathlib import Path

import pytest

from arena.errors import HostFailure, UsageError
from arena.model import Limits
from arena.sandbox import Mode, Program, build, start, survey
from arena.sandbox.attack import read_to_end

SOURCES = {
    "main.c": """
        #include <stdio.h>
        int main(void) { char s[9]; while (fgets(s, 9, stdin)) printf("c %s", s); return 0; }
    """,
    "Main.java": 'class Main { public static void main(String[] a) { System.out.println("hi from java"); } }\n',
    "src/main.rs": 'fn main() { println!("hi from rust"); }\n',
    "Cargo.toml": '[package]\nname = "bot"\nversion = "0.1.0"\nedition = "2021"\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    source = tmp_path / "source"
    for name, text in SOURCES.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return source


def run(folder: Path, *argv: str) -> str:
    child = start(Program(argv=argv, folder=folder), Limits(), mode=Mode.REQUIRED)
    try:
        child.release(20)
        os.write(child.stdin, b"move\n")
        os.set_blocking(child.stdin, False)
        child_in, child.stdin = child.stdin, os.open("/dev/null", os.O_RDONLY)
        os.close(child_in)
        out, errors = read_to_end(child, 30)
    finally:
        child.close()
    assert not errors, errors.decode()
    return out.decode().strip()


BUILDS = {
    "c": (("gcc", "-O1", "main.c", "-o", "bot"), ("./bot",), "c move"),
    "static c": (("gcc", "-static", "main.c", "-o", "bot"), ("bot",), "c move"),
    "java": (("javac", "Main.java"), ("java", "-cp", ".", "Main"), "hi from java"),
    "rust": (("cargo", "build", "--release", "--offline"), ("target/release/bot",), "hi from rust"),
}


@pytest.mark.parametrize(
    "name",
    ["c", "static c", pytest.param("java", marks=pytest.mark.slow), pytest.param("rust", marks=pytest.mark.slow)],
)
def test_a_compiled_bot_is_built_and_runs(name: str, folder: Path, tmp_path: Path) -> None:
    argv, program, says = BUILDS[name]
    if shutil.which(argv[0]) is None:
        pytest.skip(f"no {argv[0]} here")
    built = build(argv, folder, tmp_path / "built", mode=Mode.REQUIRED)
    assert run(built.folder, *program) == says
    assert sorted(path.name for path in folder.iterdir()) == ["Cargo.toml", "Main.java", "main.c", "src"]


def test_the_result_belongs_to_the_referee_and_is_read_only(folder: Path, tmp_path: Path) -> None:
    built = build(
        ("sh", "-c", "mkdir out; echo x > out/data; chmod 4777 main.c"), folder, tmp_path / "built", mode=Mode.REQUIRED
    )
    for path in [built.folder, *built.folder.rglob("*")]:
        facts = path.stat()
        assert facts.st_uid == os.geteuid()
        assert not stat.S_IMODE(facts.st_mode) & 0o6222, path


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("echo no luck; exit 3", "status 3:\nno luck"),
        ("ln -s /etc/shadow passwords", "link that leads out.*passwords"),
        ("ln -s ../../.. up", "link that leads out.*up"),
        ("mkfifo pipe", "no file: pipe"),
        ("sleep 60", "took too long"),
        ("head -c 3000000 /dev/zero > big; sleep 60", "more than 1 MiB"),
        ("cat /etc/shadow", "No such file"),
        ("touch /usr/new", "Read-only file system"),
    ],
)
def test_a_bad_step_is_the_authors_to_mend_and_leaves_nothing(
    script: str, says: str, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=f"(?s){says}"):
        build(("sh", "-c", script), folder, tmp_path / "built", mode=Mode.REQUIRED, timeout_s=2, size_mb=1)
    assert not (tmp_path / "built").exists()


def test_a_build_has_no_network(folder: Path, tmp_path: Path) -> None:
    script = "import socket; socket.create_connection(('127.0.0.1', 9))"
    with pytest.raises(UsageError, match="PermissionError"):
        build(("python3", "-c", script), folder, tmp_path / "built", mode=Mode.REQUIRED)


def test_without_a_sandbox_the_step_just_runs(folder: Path, tmp_path: Path) -> None:
    built = build(("sh", "-c", "echo $(pwd) > where"), folder, tmp_path / "built", mode=Mode.OFF)
    assert (built.folder / "where").read_text().strip() == str(tmp_path / "built")


def test_a_build_is_not_done_with_half_a_sandbox(folder: Path, tmp_path: Path) -> None:
    weak = survey(frozenset({"userns"}))
    with pytest.raises(HostFailure, match="builds need namespaces"):
        build(("true",), folder, tmp_path / "built", mode=Mode.BEST_EFFORT, found=weak)
