"""What watching a table costs: an idle table, the way from the first still frame to the roll, the server's memory.

    uv run python -m benchmarks.watching_cost [--only idle delay memory] [--seconds 60]

*idle*: the roll watcher with a profile (so with the drift watch too) on an empty, still table at 1280x720 and 30 frames
a second, decoded beforehand; processor time of this thread over time of the film. Beside it what the same frame costs
to be brought to half its size, a yardstick that goes up and down with the machine.
*delay*: the throws of `sample_images/table.mp4` at 30 frames a second as a camera would give them: while the watcher
computes, frames pass by. From the first frame in which all dice lie still to the roll.
*memory*: `piste serve` as a process of its own with a 1920x1080 stream (Motion JPEG over HTTP, 30 frames a second), its
resident memory once it has taken ten seconds of film, at the end, and at most.

The aims are 5% of a core, 400 ms, and 400 MB; exits with 1 where one is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np

from calibration.profile import Profile
from vision.frames import Frame
from vision.pipeline import DiceReader
from vision.watcher import RollSeen, RollWatcher

ROOT = Path(__file__).parent.parent
FPS = 30
IDLE, DELAY_S, MEMORY_MB = 0.05, 0.4, 400.0
GROWTH_MB_A_MINUTE = 5.0
WARM_UP = 300  # pictures sent: by then the server has loaded all that it needs
PATIENCE_S = 120.0  # for that

Image = np.ndarray


def film() -> list[Image]:
    """The frames of the recorded table, brought to 1280x720 with what is at its edge repeated beside it."""
    video = cv2.VideoCapture(str(ROOT / "sample_images" / "table.mp4"))
    frames = []
    while True:
        done, frame = video.read()
        if not done:
            break
        frame = cv2.resize(frame, (960, 720), interpolation=cv2.INTER_LINEAR)
        frames.append(cv2.copyMakeBorder(frame, 0, 0, 160, 160, cv2.BORDER_REPLICATE))
    if not frames:
        raise SystemExit("sample_images/table.mp4 cannot be read")
    return frames


def with_noise(image: Image, count: int, seed: int = 0) -> list[Image]:
    """The same picture as a camera gives it, so many times."""
    random = np.random.default_rng(seed)
    grain = random.normal(0, 2, (image.shape[0] + 64, image.shape[1] + 64, 1)).astype(np.float32)
    shown = []
    for _ in range(count):
        y, x = random.integers(0, 64, 2)
        noise = grain[y : y + image.shape[0], x : x + image.shape[1]]
        shown.append(np.clip(image + noise, 0, 255).astype(np.uint8))
    return shown


def idle(frames: list[Image], seconds: float) -> bool:
    """Watches an empty table."""
    empty = frames[0]
    pictures = with_noise(empty, 8)
    tray = np.array([(300.0, 60.0), (980, 60), (980, 660), (300, 660)])
    profile = Profile(size=(1280, 720), tray=tray, shape="square", reference=empty)
    watcher = RollWatcher(DiceReader(threads=1).read, profile=profile)
    for number in range(2 * FPS):
        watcher.feed(Frame(pictures[number % 8], number / FPS, number))
    watched, half = [], []
    for number in range(2 * FPS, 2 * FPS + round(seconds * FPS)):
        picture = pictures[number % 8]
        start = time.thread_time()
        watcher.feed(Frame(picture, number / FPS, number))
        middle = time.thread_time()
        cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA)
        watched.append(middle - start)
        half.append(time.thread_time() - middle)
    share = statistics.mean(watched) * FPS
    print(f"idle: {100 * share:.1f}% of a core (aim: under {100 * IDLE:.0f}%), state {watcher.state}; a frame "
          f"{1000 * statistics.median(watched):.2f} ms, {statistics.mean(watched) / statistics.mean(half):.1f} times "
          f"that of halving it")  # fmt: skip
    return share < IDLE


def at_camera_speed(frames: list[Image], fps: float) -> Iterator[tuple[float, Image]]:
    """A film at FPS: between two of its frames their mean, as a long exposure has it; rests with noise of their own."""
    random = np.random.default_rng(1)
    for number in range(int((len(frames) - 1) / fps * FPS)):
        at = number / FPS * fps
        first, share = int(at), at - int(at)
        image = cv2.addWeighted(frames[first], 1 - share, frames[first + 1], share, 0)
        noise = cv2.resize(
            random.integers(-3, 4, (90, 160, 1), np.int16), (1280, 720), interpolation=cv2.INTER_NEAREST
        )
        yield number / FPS, np.clip(image + noise[..., None], 0, 255).astype(np.uint8)


def delay(frames: list[Image]) -> bool:
    """Watches the recorded throws live: what comes while the watcher computes is lost."""
    truth = json.loads((ROOT / "sample_images" / "table.json").read_text("utf-8"))
    watcher = RollWatcher(DiceReader(threads=1).read)
    free, told = 0.0, []
    for number, (at, image) in enumerate(at_camera_speed(frames, truth["fps"])):
        if at < free:
            continue
        start = time.thread_time()
        events = watcher.feed(Frame(image, at, number))
        free = at + time.thread_time() - start
        told += [(free, event.roll.reading.roll) for event in events if isinstance(event, RollSeen)]
    delays = []
    for throw in truth["throws"]:
        rest, end = throw["rest_start"] / truth["fps"], (throw["rest_end"] + 5) / truth["fps"]
        delays += [min(when - rest for when, _ in told if rest <= when <= end)] if any(
            rest <= when <= end for when, _ in told
        ) else []  # fmt: skip
    missed = len(truth["throws"]) - len(delays)
    median, worst = statistics.median(delays), max(delays)
    print(f"delay: {1000 * median:.0f} ms from the first still frame to the roll, {1000 * worst:.0f} ms at most "
          f"(aim: under {1000 * DELAY_S:.0f} ms), {len(delays)} throws, {missed} not told")  # fmt: skip
    return worst < DELAY_S and not missed


class Stream(BaseHTTPRequestHandler):
    """A camera on the network: the same second of a table for ever."""

    pictures: tuple[bytes, ...] = ()
    sent = 0

    def do_GET(self) -> None:
        """Sends pictures until nobody wants them."""
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        due = time.monotonic()
        try:
            for number in range(10**9):
                data = self.pictures[number % len(self.pictures)]
                self.wfile.write(
                    b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data)
                )
                self.wfile.write(data + b"\r\n")
                Stream.sent += 1
                due += 1 / FPS
                time.sleep(max(0.0, due - time.monotonic()))
        except OSError:
            return

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def resident_mb(process: int) -> float:
    """Resident memory of a process and its children in MB."""
    total = 0.0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text("utf-8")
        except OSError:
            continue  # it has just ended
        if int(status.parent.name) == process or f"\nPPid:\t{process}\n" in text:
            found = re.search(r"VmRSS:\s+(\d+) kB", text)
            total += int(found[1]) / 1024 if found else 0
    return total


def memory(frames: list[Image], seconds: float) -> bool:
    """Serves a table with a 1080p stream and looks at how large the process is."""
    if not Path("/proc/self/status").exists():
        print("memory: only measured on Linux")
        return True
    pictures = []
    for image in frames[:: max(1, len(frames) // 60)]:
        large = cv2.resize(image, (1920, 1080), interpolation=cv2.INTER_LINEAR)
        pictures.append(cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes())
    Stream.pictures = tuple(pictures)
    camera = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    camera.daemon_threads = True
    threading.Thread(target=camera.serve_forever, daemon=True).start()
    sizes: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        address = f"http://127.0.0.1:{camera.server_port}/stream"
        command = [sys.executable, "-m", "scorer.service.cli.main", "serve", "--port", "0", "--data", folder]
        with subprocess.Popen([*command, "--source", address], stdout=subprocess.DEVNULL) as server:
            start = time.monotonic()
            while Stream.sent < WARM_UP and server.poll() is None and time.monotonic() < start + PATIENCE_S:
                time.sleep(0.5)
            start = time.monotonic()
            while (now := time.monotonic() - start) < seconds and server.poll() is None:
                time.sleep(0.5)
                sizes.append((now, resident_mb(server.pid)))
            ended = server.poll()
            server.send_signal(signal.SIGINT)
    camera.shutdown()
    if ended is not None:
        raise SystemExit(f"piste serve ended by itself with {ended}")
    if Stream.sent < WARM_UP:
        raise SystemExit(f"piste serve has taken only {Stream.sent} pictures of the stream")
    later = sizes[len(sizes) // 2 :]  # buffers and pools have their size by then
    growth = 60 * float(np.polyfit(*zip(*later, strict=True), 1)[0])
    most = max(size for _, size in sizes)
    print(f"memory: {sizes[0][1]:.0f} MB at first, {sizes[-1][1]:.0f} MB after {seconds:.0f} s, at most {most:.0f} MB "
          f"(aim: under {MEMORY_MB:.0f} MB), in its second half growing by {growth:.1f} MB a minute")  # fmt: skip
    return most < MEMORY_MB and growth < GROWTH_MB_A_MINUTE


def main() -> None:
    """Measures what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = ("idle", "delay", "memory")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    parser.add_argument("--seconds", type=float, default=60, help="how long a table is watched, and a server")
    args = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    cv2.setNumThreads(1)
    frames = film()
    good = True
    if "idle" in args.only:
        good &= idle(frames, args.seconds)
    if "delay" in args.only:
        good &= delay(frames)
    if "memory" in args.only:
        good &= memory(frames, args.seconds)
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
