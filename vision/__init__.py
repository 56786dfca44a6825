"""From frames to rolls: sources, motion gate, detector, reader and roll watcher. Knows nothing of games."""

import os

# OpenCV and ONNX Runtime look at these when they are loaded, so they stand before everything that loads them.
for _name, _value in {
    # What a camera or a stream lacks is said by our own errors; the chatter of the libraries would only bury it.
    "OPENCV_LOG_LEVEL": "SILENT",
    "OPENCV_FFMPEG_LOGLEVEL": "-8",
    # macOS answers a question for leave to the main thread only, and cameras are opened in others: macOS asks itself.
    "OPENCV_AVFOUNDATION_SKIP_AUTH": "1",
    # A camera that says nothing more is given up after so many seconds; the driver holds it for as long.
    "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "3",
    # Windows takes up to half a minute to open a camera with them.
    "OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS": "0",
    # ONNX Runtime would tell its maker over the network that it runs, and keep files in the home folder for it.
    "ORT_DISABLE_TELEMETRY": "1",
}.items():
    os.environ.setdefault(_name, _value)
