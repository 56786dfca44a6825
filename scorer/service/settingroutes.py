"""The commands of the API that set the table's camera, and what screens read of it."""

from __future__ import annotations

from fastapi import FastAPI

from scorer.service.setting import Setting


def add_setting(app: FastAPI, setting: Setting) -> None:
    """Add all of them to the application."""
