"""`piste export FILE --to csv|html|json`: a record for a spreadsheet, for paper, or in its canonical form."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
from pathlib import Path

from scorer.errors import InvalidRecord, PisteError
from scorer.names import shown
from scorer.record import load, steps

EXIT_FAULT = 2


def run(args: argparse.Namespace) -> int:
    """Write the export, whole or not at all. Returns 2, with nothing written, if the record does not hold."""
    try:
        text = _exported(args)
    except InvalidRecord as fault:
        print(f"{args.file}: {fault}", file=sys.stderr)
        return EXIT_FAULT
    data = text.encode("utf-8", "backslashreplace")  # half of a surrogate pair has no UTF-8
    if args.out is not None:
        _write(Path(args.out), data)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    return 0


def _exported(args: argparse.Namespace) -> str:
    record = load(args.file)
    if args.to == "csv":
        from scorer.export import to_csv

        return to_csv(record)
    if args.to == "html":
        from scorer.sheet import to_html

        return to_html(record, args.lang)
    for _ in steps(record):
        pass  # a record that does not hold is not exported in any form
    return record.to_json()


def _write(path: Path, data: bytes) -> None:
    """Write beside the file first, so that a full disk leaves the old one."""
    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            path.write_bytes(data)
            return
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".piste-", suffix=path.suffix)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
            Path(beside).chmod(mode)
            Path(beside).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(beside).unlink()
            raise
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise PisteError(f"{shown(str(path))} cannot be written: {reason}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
