"""`arena doctor` says what the machine gives, and its exit code says whether that is enough."""

import json

import pytest
from click.testing import CliRunner

from arena.cli import cli, doctor
from arena.sandbox import attack, machine, survey
from arena.sandbox.attack import Verdict


def test_it_shows_the_machine_the_sandbox_and_the_attacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack, "FAMILIES", ("channels",))
    result = CliRunner().invoke(cli, ["doctor"])
    assert result.exit_code == 0, result.output
    for word in ("kernel", "Landlock", "clock jitter", "descriptors", "safe number of workers", "sandbox: full"):
        assert word in result.output
    assert [line.split() for line in result.output.splitlines() if line.startswith("all")] == [["all", "21", "0"]]


def test_json_is_one_document() -> None:
    result = CliRunner().invoke(cli, ["doctor", "--quick", "--json"])
    found = json.loads(result.output)
    assert (result.exit_code, found["level"], found["attacks"]) == (0, "full", [])
    assert {fact["name"] for fact in found["machine"]} >= {"kernel", "cores", "memory"}


def test_a_machine_that_cannot_give_the_sandbox_is_exit_code_3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "survey", lambda: survey(frozenset({"userns"})))
    result = CliRunner().invoke(cli, ["doctor", "--quick"])
    assert result.exit_code == 3
    assert "sandbox: fallback" in result.output
    assert "remedy:" in result.output


def test_an_attack_that_gets_out_is_exit_code_1_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = Verdict("files", "read_shadow", "escaped", "root:\x1b[2J")
    monkeypatch.setattr(attack, "run", lambda family, shape: [verdict] if family == "files" else [])
    result = CliRunner().invoke(cli, ["doctor"])
    assert result.exit_code == 1
    assert "files: read_shadow: root:\\x1b[2J" in result.output


@pytest.mark.parametrize(("memory_mb", "cores", "most"), [(512, 1, 1), (512, 4096, 1024), (10**9, 8, 1)])
def test_the_safe_number_of_workers_fits_cores_and_memory(memory_mb: int, cores: int, most: int) -> None:
    assert 1 <= machine.safe_workers(memory_mb=memory_mb, cores=cores) <= most
