"""`piste demo`: a recorded table, read live, to try everything without a camera or dice."""

from __future__ import annotations

import argparse
import sys


def run(args: argparse.Namespace) -> int:
    """Serve the demo until interrupted. Returns the exit status, 2 with the reason on standard error."""
    from scorer.errors import PisteError
    from scorer.service.serving import demo
    from vision.errors import VisionError

    try:
        demo(port=args.port, browser=not args.no_browser, rules=args.rules)
    except (PisteError, VisionError) as error:
        print(f"piste demo: {error}", file=sys.stderr)
        return 2
    return 0
