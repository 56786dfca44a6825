"""The page's files, and the guard before everything."""

from __future__ import annotations

import mimetypes
import re
import socket
from pathlib import Path

import pytest

from scorer.service import static
from scorer.service.table import Table

from .conftest import ADDRESS, Client

FILES = sorted(path for path in static.FOLDER.rglob("*") if path.is_file())


def test_the_page_and_all_that_it_names_is_served(client: Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    named = re.findall(r'(?:href|src)="([^"#]+)"', page.text)
    assert named
    for name in named:
        assert client.get(f"/{name}").status_code == 200, name


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_has_its_type(client: Client, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mimetypes, "guess_type", lambda *_: ("text/plain", None))  # such registries exist
    answer = client.get(f"/{file.relative_to(static.FOLDER).as_posix()}")
    assert answer.status_code == 200
    assert answer.content == file.read_bytes()
    assert answer.headers["content-type"] == static.TYPES[file.suffix]


def test_scripts_are_scripts(client: Client) -> None:
    assert client.get("/js/main.js").headers["content-type"].startswith("text/javascript")


def test_a_file_known_already_is_not_sent_again(client: Client) -> None:
    first = client.get("/")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/", headers={"if-none-match": '"other"'}).status_code == 200
    assert client.ask("HEAD", "/").headers["etag"] == first.headers["etag"]


def test_nothing_outside_the_folder(client: Client, tmp_path: Path) -> None:
    for path in ("/../service/app.py", "/%2e%2e/service/app.py", "/..%5cservice%5capp.py", "/.hidden",
                 "/js", "/%00", "/c:/x.js", "//etc/hosts.js", "/index.html/x.js"):  # fmt: skip
        answer = client.get(path)
        assert (answer.status_code, answer.json()["error"]) == (404, "not_found"), path
    folder = tmp_path / "page"
    folder.mkdir()
    (tmp_path / "secret.js").write_text("outside")
    (folder / "link.js").symlink_to(tmp_path / "secret.js")
    assert static.find("link.js", folder) is None


def test_every_answer_is_guarded(client: Client) -> None:
    for path in ("/", "/api/table", "/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
    assert client.get("/api/table").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["127.0.0.1:4210", "localhost:4210", "LOCALHOST", "[::1]:4210", "127.0.0.2"])
def test_own_names(client: Client, host: str) -> None:
    assert client.get("/api/table", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:4210",
        "localhost.evil.example",
        "192.168.1.5:4210",
        "",
        "[::1",
        "127.0.0.1:x",
    ],
)
def test_foreign_names(client: Client, host: str) -> None:
    answer = client.get("/api/table", headers={"host": host})
    assert (answer.status_code, answer.json()["error"]) == (421, "host")


def test_in_a_network_numbers_and_the_machines_own_name_will_do(table: Table) -> None:
    client = Client(table, "0.0.0.0")
    own = socket.gethostname()
    for host in ("192.168.1.5:4210", "[fe80::1]:4210", own, f"{own.partition('.')[0]}.local", "localhost"):
        assert client.get("/api/table", headers={"host": host}).status_code == 200, host
    assert client.get("/api/table", headers={"host": "evil.example"}).status_code == 421
    client.close()


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_commands_from_other_sites(client: Client, headers: dict[str, str]) -> None:
    body = {"players": ["Ana", "Bo", "Cy"]}
    answer = client.ask("POST", "/api/games", json=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (403, "origin")
    assert client.view["game"] is None


def test_commands_from_the_page_itself(client: Client) -> None:
    headers = {"origin": ADDRESS, "sec-fetch-site": "same-origin"}
    body = {"players": ["Ana", "Bo", "Cy"]}
    assert client.ask("POST", "/api/games", json=body, headers=headers).status_code == 200
