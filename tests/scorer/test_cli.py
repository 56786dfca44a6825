"""The `piste` command line itself: help, version, options, and how it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scorer.errors import SetupError
from scorer.service.cli import main as command
from scorer.service.cli.main import build_parser, main

ROOT = Path(__file__).parents[2]


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scorer.service.cli.main", *args],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


def test_help_names_the_subcommands_and_each_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    _, by_name = build_parser()
    assert {"demo", "serve", "cameras", "read", "watch", "replay", "rules", "export", "simulate"} <= set(
        by_name
    )
    for name in by_name:
        with pytest.raises(SystemExit) as stop:
            main([name, "--help"])
        assert stop.value.code == 0
        assert f"example: piste {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "too_heavy"),
    [
        (
            ["--help"],
            ["numpy", "cv2", "fastapi", "sqlalchemy", "pydantic", "scorer.game", "importlib.metadata"],
        ),
        (["replay", "none.json"], ["numpy", "cv2", "fastapi", "sqlalchemy", "pydantic"]),
        (["rules", "show", "livret"], ["numpy", "cv2", "fastapi", "sqlalchemy", "pydantic"]),
        (["export", "none.json", "--to", "html"], ["numpy", "cv2", "fastapi", "sqlalchemy", "pydantic"]),
        (["simulate", "--games", "1"], ["numpy", "cv2", "fastapi", "sqlalchemy", "pydantic"]),
    ],
)
def test_nothing_heavy_is_imported(args: list[str], too_heavy: list[str]) -> None:
    script = (
        "import sys\nfrom scorer.service.cli.main import main\n"
        f"try: main({args})\nexcept SystemExit: pass\n"
        f"print([name for name in {too_heavy} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.stderr.splitlines()[-1] == "[]"


def test_version() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("piste ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["replay", "--nothing", "x"], "unknown: --nothing"),
        (["replay", "--js", "x"], "unknown: --js"),
        (["replay"], "required: FILE"),
        (["dance"], "invalid choice: 'dance'"),
        ([], "required: SUBCOMMAND"),
        (["serve", "--port", "99999"], "whole number from 0 to 65535"),
        (["read", "x.jpg", "--threads", "0"], "whole number from 1 to 256"),
    ],
)
def test_an_unknown_option_exits_2_and_says_what_is_allowed(
    args: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(args)
    assert stop.value.code == 2
    errors = capsys.readouterr().err
    assert errors.startswith("usage: piste")
    assert words in errors


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch) -> Any:
    def install(error: BaseException) -> None:
        def fail(_args: object) -> int:
            raise error

        monkeypatch.setattr(command, "import_module", lambda _name: SimpleNamespace(run=fail))

    return install


def test_a_fault_is_said_on_standard_error_with_status_2(
    raising: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(SetupError("the port is in use; try --port 4211"))
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == "piste serve: the port is in use; try --port 4211\n"


def test_an_interrupt_exits_130(raising: Any, capsys: pytest.CaptureFixture[str]) -> None:
    raising(KeyboardInterrupt())
    assert main(["serve"]) == 130
    assert capsys.readouterr().err == ""


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    line = '{"format":"421-record","version":1,"ruleset":"counter","players":["A","B"],"events":['
    events = ",".join(
        ['{"type":"adjust","player":"A","chips":1}', '{"type":"adjust","player":"A","chips":-1}'] * 2000
    )
    (tmp_path / "long.json").write_text(f"{line}{events}]}}", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "scorer.service.cli.main", "replay", str(tmp_path / "long.json")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.parametrize("option", ["--data", "--host", "--source"])
def test_an_empty_option_is_refused(option: str) -> None:
    """As a shell makes it of a variable that is not set."""
    done = run("serve", option, "")
    assert done.returncode == 2
    assert f"argument {option}: it is empty" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_said_in_a_line(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    record.write_text(
        '{"format": "421-record", "version": 1, "ruleset": "rulebook", "players": ["A", "B", "C"], '
        '"events": [{"type": "throw", "player": "A", "dice": [6, 5, 2]}]}'
    )
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "scorer.service.cli.main", "replay", str(record)],
            stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "piste replay: the output cannot be written: No space left on device.\n"
