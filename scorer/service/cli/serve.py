"""`piste serve`: keep the game on a table of one's own."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted. Returns the exit status: 0, or 2 with the reason on standard error."""
    from scorer.errors import PisteError
    from scorer.service.folder import default_folder
    from scorer.service.serving import Https, serve
    from vision.errors import VisionError

    folder = default_folder() if args.data is None else Path(args.data).expanduser()
    try:
        https = Https(at_once=args.https or args.https_port is not None, port=args.https_port)
        serve(
            folder,
            host=args.host,
            port=args.port,
            source=args.source,
            profile=args.profile,
            fix=not args.camera_auto,
            rules=args.rules,
            https=https,
        )
    except (PisteError, VisionError) as error:
        print(f"piste serve: {error}", file=sys.stderr)
        return 2
    return 0
