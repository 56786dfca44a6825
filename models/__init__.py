"""The shipped network files, found and verified against their checksums before anything runs them.

`checksums.json` lists each file with its SHA-256 and says which version of the inputs and outputs it speaks (see
`card.md` for what the files are and what they were made from).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).parent
CONTRACT = 2
"""Version of the networks' inputs and outputs that this code speaks."""


class ModelFileError(Exception):
    """A model file is missing, damaged, swapped, or made for another version of the program."""


def load_file(name: str, folder: Path | None = None) -> bytes:
    """Returns the bytes of the model file `name` once they match their checksum.

    `folder` is where the files and `checksums.json` lie; None means those that came with the program. Raises
    ModelFileError naming the file and what to do.
    """
    folder = FOLDER if folder is None else folder
    listing = _listing(folder)
    entry = listing.get(name)
    if entry is None:
        raise ModelFileError(f"{folder / 'checksums.json'} does not list {name}: {_remedy(folder)}")
    path = folder / name
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ModelFileError(f"The model file {path} is missing: {_remedy(folder)}") from None
    except OSError as error:
        raise ModelFileError(
            f"The model file {path} cannot be read ({error.strerror}): {_remedy(folder)}"
        ) from None
    if hashlib.sha256(data).hexdigest() != entry:
        raise ModelFileError(
            f"The model file {path} is not the one that its checksum names (damaged or swapped): {_remedy(folder)}"
        )
    return data


def _listing(folder: Path) -> dict[str, str]:
    path = folder / "checksums.json"
    try:
        content = json.loads(path.read_text("utf-8"))
        contract, files = content["contract"], content["files"]
        listing = {str(name): str(digest) for name, digest in files.items()}
    except FileNotFoundError:
        raise ModelFileError(f"There is no {path}: {_remedy(folder)}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelFileError(
            f"{path} cannot be read as a list of models ({error}): {_remedy(folder)}"
        ) from None
    if contract != CONTRACT:
        raise ModelFileError(
            f"{path} is for version {contract} of the models' shape, this program speaks {CONTRACT}: "
            "take the models that belong to this program."
        )
    return listing


def _remedy(folder: Path) -> str:
    if folder == FOLDER:
        return "install the program again."
    return (
        "name another folder with --models, or leave the option out to use those that came with the program."
    )
