"""The camera page in a real Chromium: its fake camera plays the film of the demo, and the table reads the dice."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from tests.dashboard.conftest import CHROMIUM_ARGS, DASHBOARD, PISTE, Watch, find_chromium

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(sys.platform == "win32", reason="uses POSIX signals"),
]

FILM = DASHBOARD.parents[1] / "sample_images" / "table.mp4"
WORDS = {lang: json.loads((DASHBOARD / "words" / f"{lang}.json").read_text()) for lang in ("en", "fr")}
SAID = WORDS["en"]
READ_S = 90_000
"""Milliseconds until a throw of the film has been read, on a machine that does much else."""


class Table:
    """`piste serve` with a phone as its camera, on ports that stay the same when it is started anew."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = self.https_port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def secure(self) -> str:
        return f"https://127.0.0.1:{self.https_port}/"

    def start(self, *arguments: str) -> None:
        ports = ["--port", str(self.port)]
        ports += ["--https-port", str(self.https_port)] if self.https_port else ["--https"]
        self._process = subprocess.Popen(
            [*PISTE, "serve", *ports, "--host", "127.0.0.1", "--data", str(self.data), *arguments],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/$", line):
                self.port = int(found[1])
            if found := re.search(r"https://127\.0\.0\.1:(\d+)/camera", line):
                self.https_port = int(found[1])
            if line.startswith("Stop it with"):
                return
        raise AssertionError("piste serve did not start:\n" + "".join(said))

    def end(self, number: int = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.communicate(timeout=30)
            self._process = None

    def post(self, path: str, body: dict[str, Any]) -> None:
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        urllib.request.urlopen(request, timeout=30).close()

    def phone(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}api/phone", timeout=30) as answer:
            return dict(json.load(answer))

    def view(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}api/table", timeout=30) as answer:
            return dict(json.load(answer))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    running = Table(tmp_path_factory.mktemp("games"))
    running.start("--source", "phone")
    yield running
    running.end()


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's film as Motion JPEG, which Chromium's fake camera plays over and over."""
    path = tmp_path_factory.mktemp("film") / "table.mjpeg"
    capture = cv2.VideoCapture(str(FILM))
    with path.open("wb") as out:
        while True:
            good, image = capture.read()
            if not good:
                break
            good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])
            assert good
            # The fake camera shows thirty a second, the film has fifteen.
            out.write(bytes(data) * 2)
    capture.release()
    return path


OpenPhone = Callable[..., Page]


class Phones:
    """Browsers with a camera, without one, or with one that nobody may use."""

    def __init__(self, chromium: BrowserType) -> None:
        self._chromium = chromium
        self._browsers: dict[tuple[str, ...], Browser] = {}
        self._contexts: list[BrowserContext] = []
        self.watch = Watch()

    def open(
        self,
        address: str,
        *arguments: str,
        size: tuple[int, int] = (390, 844),
        script: str = "",
        **settings: Any,
    ) -> Page:
        if arguments not in self._browsers:
            self._browsers[arguments] = self._chromium.launch(
                executable_path=find_chromium(), args=[*CHROMIUM_ARGS, *arguments]
            )
        wishes = {"locale": "en-GB", "color_scheme": "light", **settings}
        context = self._browsers[arguments].new_context(
            viewport={"width": size[0], "height": size[1]}, ignore_https_errors=True, **wishes
        )
        context.set_default_timeout(60_000)
        self._contexts.append(context)
        page = context.new_page()
        if script:
            page.add_init_script(script)
        self.watch.on(page)
        page.goto(f"{address}camera")
        page.wait_for_selector("main.phone")
        return page

    def close_pages(self) -> None:
        for context in self._contexts:
            context.close()
        self._contexts.clear()

    def close(self) -> None:
        self.close_pages()
        for browser in self._browsers.values():
            browser.close()


@pytest.fixture(scope="module")
def phones(browser: Browser) -> Iterator[Phones]:
    running = Phones(browser.browser_type)  # two Playwrights do not get along in one thread
    yield running
    running.close()


@pytest.fixture
def open_phone(phones: Phones, film: Path) -> OpenPhone:
    """Opens the camera page on a phone whose camera sees the film."""

    def open_one(address: str, **settings: Any) -> Page:
        arguments = (
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film}",
        )
        return phones.open(address, *arguments, **settings)

    return open_one


@pytest.fixture(autouse=True)
def _put_away(phones: Phones) -> Iterator[None]:
    """No page of one test may go on sending in the next."""
    yield
    phones.close_pages()


def begin(page: Page) -> None:
    page.get_by_role("button", name=SAID["phone.start"]).click()


def is_now(page: Page, state: str) -> None:
    """Waits until the page says that state, in words."""
    expect(page.locator("p.state")).to_have_text(SAID[f"phone.{state}"], timeout=60_000)


def sends(table: Table, page: Page) -> None:
    """Waits until pictures of this page reach the table."""
    is_now(page, "sending")
    before = table.view()["camera"]["frames"]
    until(page, lambda: table.view()["camera"]["frames"] > before + 3)


def until(page: Page, true: Callable[[], Any], within_s: float = 60) -> None:
    for _ in range(round(within_s * 10)):
        if true():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it never came")


def test_dice_before_a_phone_become_a_throw_on_the_tablet(open_phone: OpenPhone, table: Table) -> None:
    table.post("api/games", {"players": ["Ana", "Bo", "Cy"], "ruleset": "rulebook"})
    phone = open_phone(table.address)
    begin(phone)
    sends(table, phone)
    expect(phone.locator(".figures")).to_contain_text("800x600")
    tablet = phone.context.new_page()
    tablet.set_viewport_size({"width": 1280, "height": 800})
    tablet.goto(table.address)
    expect(tablet.locator(".turn-name .name")).to_have_text("Ana")
    expect(tablet.locator(".slot:not(.empty) .die-button")).to_have_count(3, timeout=READ_S)
    tablet.get_by_role("button", name="Confirm", exact=True).click()
    expect(tablet.locator(".turn-name .name")).to_have_text("Bo")
    (throw,) = table.view()["game"]["throws"]
    assert throw["source"] == "camera"
    truth = json.loads(FILM.with_suffix(".json").read_text())["throws"]
    assert sorted(throw["dice"]) in [sorted(each["values"]) for each in truth]


def test_over_https_it_is_the_same(open_phone: OpenPhone, table: Table) -> None:
    phone = open_phone(table.secure)
    begin(phone)
    sends(table, phone)


NO_WEBSOCKET = """
window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.(), 20); } close() {} };
"""


def test_where_websockets_do_not_come_through_each_picture_is_a_request(
    open_phone: OpenPhone, table: Table
) -> None:
    """So it is on iPhones, which trust Piste's certificate for pages but for no websocket."""
    phone = open_phone(table.secure, script=NO_WEBSOCKET)
    with phone.expect_request("**/api/phone/frame?*", timeout=60_000):
        begin(phone)
    sends(table, phone)
    other = open_phone(table.secure)
    begin(other)
    is_now(other, "taken")
    other.get_by_role("button", name=SAID["phone.take_over"]).click()
    sends(table, other)
    is_now(phone, "taken")


def test_of_two_phones_one_is_the_camera(open_phone: OpenPhone, table: Table) -> None:
    first, second = open_phone(table.address), open_phone(table.address)
    begin(first)
    sends(table, first)
    begin(second)
    is_now(second, "taken")
    sends(table, first)
    second.get_by_role("button", name=SAID["phone.take_over"]).click()
    sends(table, second)
    is_now(first, "taken")
    second.get_by_role("button", name=SAID["phone.stop"]).click()
    is_now(second, "idle")
    first.get_by_role("button", name=SAID["phone.take_over"]).click()
    sends(table, first)


SLOW_ANSWERS = """
window.WebSocket = class extends WebSocket {
  set onmessage(heard) { super.onmessage = (event) => setTimeout(() => heard(event), 500); }
};
"""


def test_once_stopped_it_stays_stopped_whatever_was_on_its_way(open_phone: OpenPhone, table: Table) -> None:
    phone = open_phone(table.address, script=SLOW_ANSWERS)
    begin(phone)
    sends(table, phone)
    phone.get_by_role("button", name=SAID["phone.stop"]).click()
    is_now(phone, "idle")
    phone.wait_for_timeout(1500)
    assert phone.locator("p.state").inner_text().strip() == SAID["phone.idle"]
    assert phone.locator("video").count() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_when_the_service_comes_back_the_phone_goes_on_by_itself(
    open_phone: OpenPhone, table: Table, number: int
) -> None:
    phone = open_phone(table.address)
    begin(phone)
    sends(table, phone)
    table.end(number)
    is_now(phone, "lost")
    table.start()
    is_now(phone, "unwanted")
    table.end()
    table.start("--source", "phone")
    sends(table, phone)


ASLEEP = """
window.asleep = (hidden) => {
  const now = hidden ? "hidden" : "visible";
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now });
  document.dispatchEvent(new Event("visibilitychange"));
};
"""


def test_a_phone_that_slept_goes_on_by_itself(open_phone: OpenPhone, table: Table) -> None:
    phone = open_phone(table.address, script=ASLEEP)
    begin(phone)
    sends(table, phone)
    phone.evaluate("asleep(true)")
    until(phone, lambda: not table.phone()["taken"])
    frames = table.view()["camera"]["frames"]
    # The system has taken the camera away meanwhile.
    phone.evaluate("document.querySelector('video').srcObject.getTracks().forEach((track) => track.stop())")
    phone.wait_for_timeout(500)
    assert table.view()["camera"]["frames"] <= frames + 1
    phone.evaluate("asleep(false)")
    sends(table, phone)


def test_whoever_comes_back_to_the_page_finds_it_sending(open_phone: OpenPhone, table: Table) -> None:
    phone = open_phone(table.address, permissions=["camera"])
    begin(phone)
    sends(table, phone)
    phone.reload()
    sends(table, phone)
    phone.get_by_role("button", name=SAID["phone.stop"]).click()
    phone.reload()
    is_now(phone, "idle")


LAMP = """
const asked = MediaStreamTrack.prototype.getCapabilities;
MediaStreamTrack.prototype.getCapabilities = function () { return { ...asked.call(this), torch: true }; };
MediaStreamTrack.prototype.applyConstraints = async function (wish) { window.wished = wish; };
window.locks = 0;
const request = async () => {
  window.locks += 1;
  return { released: false, release: async () => { window.locks -= 1; } };
};
Object.defineProperty(navigator, "wakeLock", { value: { request } });
"""


def test_the_lamp_and_the_screen(open_phone: OpenPhone, table: Table) -> None:
    phone = open_phone(table.address, script=LAMP)
    begin(phone)
    sends(table, phone)
    assert phone.evaluate("window.locks") == 1
    expect(phone.get_by_role("button", name=SAID["phone.other"])).to_have_count(0)
    lamp = phone.get_by_role("button", name=SAID["phone.lamp"])
    expect(lamp).to_have_attribute("aria-pressed", "false")
    lamp.click()
    expect(lamp).to_have_attribute("aria-pressed", "true")
    assert phone.evaluate("window.wished") == {"advanced": [{"torch": True}]}
    phone.get_by_role("button", name=SAID["phone.stop"]).click()
    assert phone.evaluate("window.locks") == 0


def test_another_camera_of_the_same_phone_is_remembered(phones: Phones, table: Table) -> None:
    two = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=device-count=2")
    phone = phones.open(table.address, *two, permissions=["camera"])
    label = "document.querySelector('video').srcObject.getVideoTracks()[0].label"
    begin(phone)
    sends(table, phone)
    first = phone.evaluate(label)
    phone.get_by_role("button", name=SAID["phone.other"]).click()
    until(
        phone,
        lambda: phone.evaluate(f"document.querySelector('video')?.srcObject && {label}") not in (None, first),
    )
    sends(table, phone)
    second = phone.evaluate(label)
    phone.reload()
    sends(table, phone)
    assert phone.evaluate(label) == second != first


def test_a_picture_can_be_turned(open_phone: OpenPhone, table: Table) -> None:
    phone = open_phone(table.address)
    begin(phone)
    sends(table, phone)
    phone.get_by_role("button", name=SAID["phone.turn"]).click()
    until(phone, lambda: (table.view()["camera"]["width"], table.view()["camera"]["height"]) == (600, 800))
    expect(phone.locator(".figures")).to_contain_text("600x800")


def scanned(page: Page) -> str:
    """What the code on the page says, read as a phone would."""
    code = page.locator("svg.code")
    code.evaluate("(element) => element.scrollIntoView({ block: 'center' })")
    shot = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    framed = cv2.copyMakeBorder(shot, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    readers = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
    return next((text for reader in readers if (text := str(reader.detectAndDecode(framed)[0]))), "")


def test_a_phone_is_chosen_at_set_up_and_finds_its_page_by_a_code(
    open_phone: OpenPhone, tmp_path: Path
) -> None:
    table = Table(tmp_path)
    table.start()
    try:
        phone = open_phone(table.secure)
        begin(phone)
        is_now(phone, "unwanted")
        tablet = phone.context.new_page()
        tablet.set_viewport_size({"width": 1280, "height": 800})
        tablet.goto(table.address)
        tablet.get_by_role("button", name=SAID["camera.choose"]).click()
        tablet.get_by_role("button", name=SAID["phone.a_phone"]).click()
        # The phone that has tried all the time is let in by itself.
        sends(table, phone)
        expect(tablet.locator(".phone-way")).to_have_count(0)
        phone.get_by_role("button", name=SAID["phone.stop"]).click()
        expect(tablet.locator(".camera-words .light").first).to_have_text(SAID["phone.silent"])
        expect(tablet.locator(".band strong")).to_have_text(SAID["phone.silent"])
        expect(tablet.locator(".band span")).to_have_text(
            re.compile(r"^Open https://\S+/camera on the phone .+ " + SAID["band.by_hand"])
        )
        expect(tablet.locator(".phone-address bdi")).to_have_text(f"{table.secure}camera")
        assert scanned(tablet) == f"{table.secure}camera"
        expect(tablet.get_by_role("link", name=SAID["phone.this_device"])).to_have_attribute(
            "href", "/camera"
        )
    finally:
        table.end()


CODES = """async (texts) => {
  const { qr } = await import("/js/qr.js");
  return texts.map((text) => qr(text));
}"""


def test_codes_of_every_length_can_be_scanned(open_phone: OpenPhone, table: Table) -> None:
    page = open_phone(table.address)
    texts = ["x" * length for length in (1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106)]
    texts += ["https://[fe80::1234:5678:9abc:def0]:4211/camera", "https://bar-de-l'été.local:4211/camera"]
    for text, code in zip(texts, page.evaluate(CODES, texts), strict=True):
        dark = np.pad(np.array(code, np.uint8), 4)
        picture = cv2.resize(255 * (1 - dark), None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
        readers = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
        assert text in [reader.detectAndDecode(picture)[0] for reader in readers], len(text)
    assert page.evaluate(CODES, ["x" * 107]) == [None]


# What is in the way


def test_a_camera_that_may_not_be_used(phones: Phones, table: Table) -> None:
    page = phones.open(table.address, "--use-fake-device-for-media-stream", "--deny-permission-prompts")
    begin(page)
    is_now(page, "denied")
    expect(page.locator("p.help")).to_have_text(SAID["phone.denied_help"])
    page.get_by_role("button", name=SAID["phone.again"]).click()
    is_now(page, "denied")
    assert not table.phone()["taken"]


def test_a_device_without_a_camera(phones: Phones, table: Table) -> None:
    page = phones.open(table.address, "--use-fake-ui-for-media-stream")
    begin(page)
    is_now(page, "missing")


FAILS = """
navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", "%s"); };
"""


@pytest.mark.parametrize(("error", "state"), [("NotReadableError", "busy"), ("SomethingNewError", "busy")])
def test_a_camera_that_does_not_start(open_phone: OpenPhone, table: Table, error: str, state: str) -> None:
    page = open_phone(table.address, script=FAILS % error)
    begin(page)
    is_now(page, state)


def test_on_plain_http_from_elsewhere_the_way_to_https_is_told(open_phone: OpenPhone, table: Table) -> None:
    # Chromium would count any address of this machine as secure: it is told not to.
    page = open_phone(
        table.address, script="Object.defineProperty(window, 'isSecureContext', { value: false });"
    )
    is_now(page, "insecure")
    link = page.get_by_role("link", name=SAID["phone.go_secure"])
    expect(link).to_have_attribute("href", f"{table.secure}camera")
    page.locator("summary").click()
    expect(page.locator("details code")).to_have_text(table.phone()["fingerprint"])
    expect(page.get_by_role("button", name=SAID["phone.start"])).to_have_count(0)


def test_a_browser_without_cameras(open_phone: OpenPhone, table: Table) -> None:
    script = "Object.defineProperty(navigator, 'mediaDevices', { value: undefined });"
    is_now(open_phone(table.address, script=script), "unsupported")


# How it looks


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (360, 640)])
def test_everything_fits_and_can_be_hit(
    open_phone: OpenPhone, table: Table, lang: str, size: tuple[int, int]
) -> None:
    page = open_phone(table.address, size=size, locale=lang)
    words = WORDS[lang]
    page.get_by_role("button", name=words["phone.start"]).click()
    expect(page.locator("p.state")).to_have_text(words["phone.sending"])
    assert page.evaluate("[document.documentElement.scrollWidth <= innerWidth, scrollY]") == [True, 0]
    video = page.locator("video").bounding_box()
    assert video is not None
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 56
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0]
    preview = page.locator(".preview").bounding_box()
    assert preview is not None
    assert preview["width"] * preview["height"] > 0.3 * size[0] * size[1]
