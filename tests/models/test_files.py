"""The model files: verified before anything runs them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from models import FOLDER, ModelFileError, load_file
from vision.errors import ModelError
from vision.judge import load_judge
from vision.session import Session

NAMES = ("detector.onnx", "reader.onnx", "judge.json")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the shipped files, to be spoilt."""
    for name in (*NAMES, "checksums.json"):
        shutil.copy(FOLDER / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_files_match_their_checksums(name: str) -> None:
    assert load_file(name)


def test_the_shipped_networks_are_small_together() -> None:
    assert sum((FOLDER / name).stat().st_size for name in NAMES) < 10_000_000


def test_a_changed_byte_is_noticed(copy: Path) -> None:
    data = bytearray((copy / "reader.onnx").read_bytes())
    data[len(data) // 2] ^= 1
    (copy / "reader.onnx").write_bytes(data)
    with pytest.raises(ModelFileError, match=r"reader\.onnx .*damaged or swapped"):
        load_file("reader.onnx", copy)


def test_swapped_files_are_noticed(copy: Path) -> None:
    shutil.copy(FOLDER / "reader.onnx", copy / "detector.onnx")
    with pytest.raises(ModelError, match=r"detector\.onnx .*damaged or swapped"):
        Session("detector.onnx", copy)


def test_a_missing_file_is_named_with_what_to_do(copy: Path) -> None:
    (copy / "detector.onnx").unlink()
    with pytest.raises(ModelFileError, match=r"detector\.onnx is missing: name another folder with --models"):
        load_file("detector.onnx", copy)


def test_an_empty_folder_is_no_folder_of_models(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"There is no .*checksums\.json"):
        load_file("detector.onnx", tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"contract": 1}', '{"contract": 1, "files": 3}', "\udcff"])
def test_a_broken_list_of_checksums_is_said(copy: Path, text: str) -> None:
    (copy / "checksums.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelFileError, match=r"checksums\.json cannot be read"):
        load_file("detector.onnx", copy)


def test_models_of_another_version_are_refused(copy: Path) -> None:
    listing = json.loads((copy / "checksums.json").read_text("utf-8"))
    listing["contract"] = 99
    (copy / "checksums.json").write_text(json.dumps(listing))
    with pytest.raises(ModelFileError, match="version 99"):
        load_file("detector.onnx", copy)


def _replace(copy: Path, name: str, data: bytes) -> None:
    import hashlib

    (copy / name).write_bytes(data)
    listing = json.loads((copy / "checksums.json").read_text("utf-8"))
    listing["files"][name] = hashlib.sha256(data).hexdigest()
    (copy / "checksums.json").write_text(json.dumps(listing))


def test_a_file_that_is_no_network_is_refused_though_its_checksum_fits(copy: Path) -> None:
    _replace(copy, "reader.onnx", b"not a network")
    with pytest.raises(ModelError, match=r"reader\.onnx is not a network"):
        Session("reader.onnx", copy)


def test_weights_for_other_features_are_refused(copy: Path) -> None:
    content = json.loads((copy / "judge.json").read_text("utf-8"))
    content["features"] = content["features"][:-1]
    _replace(copy, "judge.json", json.dumps(content).encode())
    with pytest.raises(ModelError, match="other features"):
        load_judge(copy)


@pytest.mark.parametrize("name", ["die", "all"])
def test_too_few_weights_are_refused(copy: Path, name: str) -> None:
    content = json.loads((copy / "judge.json").read_text("utf-8"))
    content["thorough"][name] = content["thorough"][name][:-1]
    _replace(copy, "judge.json", json.dumps(content).encode())
    with pytest.raises(ModelError, match="weights"):
        load_judge(copy)


@pytest.mark.parametrize("look", ["glance", "thorough"])
@pytest.mark.parametrize(("name", "value"), [("keep", 0.0), ("sure", 1.5), ("sure", float("nan"))])
def test_thresholds_that_are_no_probabilities_are_refused(
    copy: Path, look: str, name: str, value: float
) -> None:
    content = json.loads((copy / "judge.json").read_text("utf-8"))
    content[look][name] = value
    _replace(copy, "judge.json", json.dumps(content).encode())
    with pytest.raises(ModelError, match="not sound"):
        load_judge(copy)


def test_weights_that_are_no_numbers_are_refused(copy: Path) -> None:
    content = json.loads((copy / "judge.json").read_text("utf-8"))
    content["glance"]["all"][0] = float("inf")
    _replace(copy, "judge.json", json.dumps(content).encode())
    with pytest.raises(ModelError, match="not sound"):
        load_judge(copy)
