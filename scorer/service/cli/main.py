"""The `piste` command: its subcommands, their options, and how a fault is said.

A subcommand is a module of this package with `run(args)`, which returns the exit status. It is imported when it
runs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from scorer.errors import PisteError

EXIT_FAULT = 2
EXIT_INTERRUPTED = 130
EXIT_PIPE_CLOSED = 141


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_args: Any) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("piste421")
        except PackageNotFoundError:
            number = "(not installed)"
        print(f"piste {number}")
        parser.exit()


def build_parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return the parser, and that of each subcommand by name."""
    parser = argparse.ArgumentParser(
        prog="piste",
        description="Keeps the score of 421: reads the dice with a camera, minds the rules, keeps a record.",
        epilog="example: piste demo        (then: piste SUBCOMMAND --help)",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    commands = parser.add_subparsers(dest="command", metavar="SUBCOMMAND", required=True)
    by_name: dict[str, argparse.ArgumentParser] = {}

    def add(name: str, what: str, example: str) -> argparse.ArgumentParser:
        by_name[name] = commands.add_parser(
            name, help=what, description=f"{what}.", epilog=f"example: {example}", allow_abbrev=False
        )
        return by_name[name]

    demo = add(
        "demo", "show a recorded table, read live, in the browser", "piste demo --no-browser --port 4300"
    )
    demo.add_argument("--no-browser", action="store_true", help="do not open the browser")
    demo.add_argument(
        "--port", type=_port, metavar="N", help="port of the page (default 4210, or the next free one)"
    )
    _rules_files(demo)

    serve = add("serve", "keep a table: camera, rules, dashboard", "piste serve --source 0 --data ~/piste")
    serve.add_argument(
        "--source",
        type=_filled,
        metavar="S",
        help="camera index or name, video file, folder of pictures, URL, or phone: a phone's browser sends pictures",
    )
    serve.add_argument(
        "--profile", type=_filled, metavar="P", help="profile of the table: its name, or a TOML file"
    )
    serve.add_argument(
        "--camera-auto",
        action="store_true",
        help="leave exposure, focus and white balance to the camera (else fixed as it has found them)",
    )
    serve.add_argument(
        "--port", type=_port, default=4210, metavar="N", help="port of the page (default 4210)"
    )
    serve.add_argument(
        "--host",
        type=_filled,
        metavar="A",
        help="address to listen on (default 127.0.0.1; with --source phone or --https 0.0.0.0, the whole network)",
    )
    serve.add_argument(
        "--https",
        action="store_true",
        help="serve over HTTPS too, with a certificate that Piste makes itself (--source phone implies it)",
    )
    serve.add_argument(
        "--https-port",
        type=_port,
        metavar="N",
        help="port of HTTPS (default the one after --port, or the next free one); implies --https",
    )
    serve.add_argument(
        "--data",
        type=_filled,
        metavar="DIR",
        help="folder that keeps the games; pictures are kept while Piste runs only",
    )
    _rules_files(serve)

    cameras = add("cameras", "list the cameras of this machine", "piste cameras --json")
    cameras.add_argument("--json", action="store_true", help="print a JSON array")

    calibrate = add(
        "calibrate",
        "find the tray, check the light, try the dice, and keep it as a profile",
        "piste calibrate --source 0 --name bar",
    )
    calibrate.add_argument(
        "--source",
        type=_looked_at,
        default="0",
        metavar="S",
        help="camera, picture, film or URL (default: camera 0)",
    )
    calibrate.add_argument(
        "--name", type=_filled, default="table", metavar="N", help="of the profile (default table)"
    )
    calibrate.add_argument(
        "--tray",
        nargs="+",
        metavar="X,Y",
        help="four or more places on the tray's rim; whole: all of the picture",
    )
    calibrate.add_argument(
        "--dice", type=_dice, default=3, metavar="N", help="how many dice you have (default 3)"
    )
    calibrate.add_argument(
        "--throws", type=_throws, metavar="N", help="throws to try (default: 5 with a camera, 0 with a file)"
    )
    calibrate.add_argument(
        "--die-mm",
        type=_millimetres,
        default=16.0,
        metavar="MM",
        help="edge of a die, for the sheet (default 16)",
    )
    calibrate.add_argument(
        "--picture", type=_filled, metavar="OUT.png", help="draw what was found into this file"
    )
    calibrate.add_argument(
        "--data",
        type=_filled,
        metavar="DIR",
        help="folder that keeps the profiles (default: that of piste serve)",
    )
    calibrate.add_argument(
        "--sheet", type=_filled, metavar="OUT.pdf", help="only write the sheet to print (.pdf or .svg)"
    )
    calibrate.add_argument(
        "--lens",
        type=_filled,
        metavar="FOLDER",
        help="pictures of the sheet from five sides: measure the lens",
    )
    calibrate.add_argument(
        "--paper", choices=("A4", "Letter"), default="A4", help="of the sheet (default A4)"
    )
    _language(calibrate, "en")

    read = add("read", "read the dice in pictures", "piste read throw.jpg --show seen.png")
    read.add_argument("images", nargs="+", metavar="IMAGE", help="picture file")
    read.add_argument("--json", action="store_true", help="print one JSON object for each picture")
    read.add_argument("--show", type=_filled, metavar="OUT.png", help="draw what was seen into this file")
    read.add_argument(
        "--models", type=_filled, metavar="DIR", help="folder of the models (default: those installed)"
    )
    read.add_argument("--threads", type=_threads, metavar="N", help="processor threads to use")

    watch = add(
        "watch",
        "watch a camera or a film, and print what happens",
        "piste watch table.mp4 --json --show seen.mp4",
    )
    watch.add_argument(
        "source",
        type=_looked_at,
        metavar="SOURCE",
        help="camera index or name, video file, folder of pictures or URL",
    )
    watch.add_argument(
        "--profile", type=_filled, metavar="P", help="profile of the table: its name, or a TOML file"
    )
    watch.add_argument(
        "--data",
        type=_filled,
        metavar="DIR",
        help="folder that keeps the profiles (default: that of piste serve)",
    )
    watch.add_argument("--json", action="store_true", help="print one JSON object for each event")
    watch.add_argument(
        "--show",
        nargs="?",
        const="",
        metavar="FILE",
        help="draw what is seen in a window, or into this film (.mp4, .avi)",
    )
    watch.add_argument(
        "--realtime",
        action="store_true",
        help="play a film at its own pace, as a camera would (default: every frame, as fast as possible)",
    )

    replay = add("replay", "replay records and print every state", "piste replay game.json --json")
    replay.add_argument("files", nargs="+", metavar="FILE", help="record of a game")
    replay.add_argument("--json", action="store_true", help="print one JSON object for each state")

    rules = add("rules", "list, show and check rulesets", "piste rules show livret --lang fr")
    _language(rules, "en")
    actions = rules.add_subparsers(dest="action", metavar="ACTION")
    show = actions.add_parser(
        "show",
        help="print a ruleset: the 56 hands with value and probability, and the rules in plain words",
        epilog="example: piste rules show comptoir.toml --lang fr",
        allow_abbrev=False,
    )
    show.add_argument("ruleset", nargs="?", metavar="ID|FILE", help="built-in ruleset, or a file of your own")
    show.add_argument("--rules", metavar="ID|FILE", help="the same, as the other subcommands say it")
    show.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="choose an option (may be repeated)",
    )
    _language(show, argparse.SUPPRESS)
    check = actions.add_parser(
        "check",
        help="say everything that is wrong with ruleset files of your own",
        epilog="example: piste rules check comptoir.toml",
        allow_abbrev=False,
    )
    check.add_argument("files", nargs="+", metavar="FILE", help="ruleset in TOML")
    _language(check, argparse.SUPPRESS)

    export = add(
        "export",
        "write a record as CSV, as a printable score sheet or as canonical JSON",
        "piste export game.json --to html --lang fr --out sheet.html",
    )
    export.add_argument("file", metavar="FILE", help="record of a game")
    export.add_argument("--to", required=True, choices=("csv", "html", "json"), help="what to write")
    export.add_argument("--out", type=_filled, metavar="OUT", help="file to write (default: standard output)")
    _language(export, "en")

    simulate = add(
        "simulate",
        "play fair random games and report length, wins by seat and the flow of chips",
        "piste simulate --rules belgian --players 4 --games 1000 --seed 7",
    )
    simulate.add_argument(
        "--rules",
        default="rulebook",
        metavar="ID|FILE",
        help="ruleset, or a file of your own (default rulebook)",
    )
    simulate.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="choose an option (may be repeated)",
    )
    simulate.add_argument("--players", type=_small, default=4, metavar="N", help="players (default 4)")
    simulate.add_argument("--games", type=_games, default=1000, metavar="M", help="games (default 1000)")
    simulate.add_argument("--seed", type=_seed, metavar="S", help="the same seed plays the same games")
    simulate.add_argument(
        "--strategy",
        default="lookahead",
        choices=("lookahead", "random"),
        help="how players stand and keep: as is best on average over the throws left (default), or at random",
    )
    simulate.add_argument("--json", action="store_true", help="print one JSON object")
    return parser, by_name


def _rules_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules",
        action="append",
        default=[],
        type=_filled,
        metavar="FILE",
        help="file of rules of your own to put on offer (may be repeated)",
    )


def _language(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument("--lang", choices=("en", "fr"), default=default, help="language (default en)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: 0, or 2 for a fault, which is said on standard error."""
    if sys.stdout is None:
        print("piste: standard output is closed; there is nowhere to write to.", file=sys.stderr)
        return EXIT_FAULT
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name may hold signs that the terminal has not
    parser, by_name = build_parser()
    args, unknown = parser.parse_known_args(argv)
    if unknown:
        by_name[args.command].error(f"unknown: {' '.join(unknown)}; what is allowed stands above")
    try:
        run = import_module(f"scorer.service.cli.{args.command}").run
        status: int = run(args)
        sys.stdout.flush()
    except PisteError as error:
        print(f"piste {args.command}: {error}", file=sys.stderr)
        return EXIT_FAULT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone; nothing more is written, not even when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE_CLOSED
    except OSError as error:
        # Every file is opened by code that says itself what is wrong with it; what is left is the output.
        print(f"piste {args.command}: the output cannot be written: {error.strerror}.", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAULT
    return status


def _filled(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty; leave the option out, or name something")
    return text


def _looked_at(text: str) -> str:
    if text.strip() == "phone":
        raise argparse.ArgumentTypeError(
            "a phone sends its pictures to the dashboard only: start piste serve --source phone, and calibrate there"
        )
    return _filled(text)


def _port(text: str) -> int:
    return _number(text, 0, 65535)


def _threads(text: str) -> int:
    return _number(text, 1, 256)


def _dice(text: str) -> int:
    return _number(text, 1, 30)


def _throws(text: str) -> int:
    return _number(text, 0, 100)


def _millimetres(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 2 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of millimetres from 2 to 100")
    return value


def _small(text: str) -> int:
    return _number(text, 1, 99)


def _games(text: str) -> int:
    return _number(text, 1, 10_000_000)


def _seed(text: str) -> int:
    return _number(text, 0, 2**64 - 1)


def _number(text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
