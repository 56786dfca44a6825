"""The printed sheet, as a calibration reads it: view by view, until scale and lens are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from calibration.checks import ProfileError

if TYPE_CHECKING:
    from calibration.markers import SheetSeen
    from calibration.profile import Image, Profile

MOST_VIEWS = 20

CODES = (
    ("The printed sheet was not found", "none"),
    ("Only part of the printed sheet", "part"),
    ("Too little of the printed sheet", "part"),
    ("The printed sheet is not flat", "bent"),
)
"""How the reasons begin why a sheet cannot be used, and the word for each by which screens say it."""


@dataclass(frozen=True, slots=True)
class Sheets:
    """The `views` of the sheet so far; what was wrong with the newest picture; whether the `lens` is known."""

    views: tuple[SheetSeen, ...] = ()
    fault: str | None = None
    lens: bool = False

    def look(self, image: Image, profile: Profile) -> tuple[Sheets, Profile]:
        """With the sheet in one more picture (h, w, 3) uint8 BGR, and what the profile has learnt of it.

        Raises ProfileError where the sheet does not go with what the profile knows already.
        """
        from calibration.markers import (  # noqa: PLC0415 - nobody needs it else
            MarkersError,
            find_sheet,
            flat,
            measured_lens,
            straightened,
        )

        try:
            seen = find_sheet(image)
        except MarkersError as error:
            return replace(self, fault=str(error)), profile
        views = (*self.views, seen)[-MOST_VIEWS:]
        lens = measured_lens(views) or profile.lens
        try:
            straight = seen if lens is None else straightened(seen, lens)
            flat(straight)
        except MarkersError as error:
            return replace(self, views=views, fault=str(error)), profile
        return Sheets(views, lens=lens is not None), replace(profile, lens=lens, ground=straight.ground())

    def view(self) -> dict[str, Any]:
        """As screens see it."""
        code = next((word for begin, word in CODES if (self.fault or "").startswith(begin)), None)
        return {
            "found": self.fault is None,
            "views": len(self.views),
            "lens": self.lens,
            "code": code,
            "message": self.fault,
        }


def printed(paper: str, language: str) -> tuple[str, bytes]:
    """The sheet to print: SVG and PDF. Raises ProfileError for an unknown paper or language."""
    from calibration.sheet import PAPERS, sheet_pdf, sheet_svg  # noqa: PLC0415 - nobody needs it else

    found = next((each for each in PAPERS if each.lower() == paper.lower()), None)
    if found is None or language not in ("en", "fr"):
        raise ProfileError(f"The sheet is printed on {' or '.join(PAPERS)}, in en or fr.")
    lang = "fr" if language == "fr" else "en"
    return sheet_svg(found, lang), sheet_pdf(found, lang)  # type: ignore[arg-type]
