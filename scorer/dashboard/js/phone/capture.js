/** The camera of this device: asked for, and its pictures one by one as JPEG. */

const WISHES = {
  audio: false,
  video: {
    facingMode: { ideal: "environment" },
    width: { ideal: 1280 },
    height: { ideal: 720 },
    frameRate: { ideal: 30, max: 30 },
  },
};
const LONGEST_SIDE = 1920;
const STALLED_AFTER = 4000;
const TICK = 60;

/** What the browser calls a refusal, and which of the page's states that is. */
const FAULTS = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
};

/** The camera cannot be had; `state` is that of the page. */
export class CameraFault extends Error {
  constructor(state) {
    super(state);
    this.state = state;
  }
}

/** What keeps this page from asking for a camera at all: `insecure`, `unsupported`, or null. */
export function obstacle() {
  if (!window.isSecureContext) return "insecure";
  return navigator.mediaDevices?.getUserMedia ? null : "unsupported";
}

/** True where the browser will give the camera without asking anybody. */
export async function isGranted() {
  try {
    return (await navigator.permissions.query({ name: "camera" })).state === "granted";
  } catch {
    return false;
  }
}

/** Asks for the camera at the back, or for the one of that id, where it is still there. Throws CameraFault. */
export async function openCamera(id) {
  if (id) {
    const video = { ...WISHES.video, facingMode: undefined, deviceId: { exact: id } };
    try {
      return await navigator.mediaDevices.getUserMedia({ ...WISHES, video });
    } catch (error) {
      // It may have been unplugged, or go by another id now.
      if (FAULTS[error.name] !== "missing") throw new CameraFault(FAULTS[error.name] ?? "busy");
    }
  }
  try {
    return await navigator.mediaDevices.getUserMedia(WISHES);
  } catch (error) {
    throw new CameraFault(FAULTS[error.name] ?? "busy");
  }
}

/** True while the stream can give pictures. */
export function isLive(stream) {
  return stream?.getVideoTracks().some((track) => track.readyState === "live") ?? false;
}

/** The id of the camera after that of the stream, of all that this device has; null where there is only one. */
export async function nextCamera(stream) {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const ids = devices.filter(({ kind, deviceId }) => kind === "videoinput" && deviceId).map(({ deviceId }) => deviceId);
  const at = ids.indexOf(stream.getVideoTracks()[0]?.getSettings().deviceId);
  return ids.length > 1 ? ids[(at + 1) % ids.length] : null;
}

/** Lets go of the camera. */
export function closeCamera(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Whether the camera has a lamp. */
export function hasLamp(stream) {
  const [track] = stream.getVideoTracks();
  return Boolean(track?.getCapabilities?.().torch);
}

/** Switches the lamp; gives whether it shines then. */
export async function switchLamp(stream, on) {
  try {
    await stream.getVideoTracks()[0].applyConstraints({ advanced: [{ torch: on }] });
    return on;
  } catch {
    return !on;
  }
}

/** Takes pictures from a video element that plays the stream. */
export class Grabber {
  #canvas = document.createElement("canvas");
  #video;
  #seen = -1;

  constructor(video) {
    this.#video = video;
  }

  /**
   * The next picture that has not been taken yet, `{blob, width, height}`, turned by `turn` quarters to the right.
   * Throws CameraFault when the camera gives none.
   */
  async next(turn, quality) {
    await this.#fresh();
    const { videoWidth, videoHeight } = this.#video;
    const scale = Math.min(1, LONGEST_SIDE / Math.max(videoWidth, videoHeight));
    const [width, height] = [Math.round(videoWidth * scale), Math.round(videoHeight * scale)];
    const across = turn % 2 === 1;
    const canvas = this.#canvas;
    canvas.width = across ? height : width;
    canvas.height = across ? width : height;
    const pen = canvas.getContext("2d", { alpha: false });
    pen.translate(canvas.width / 2, canvas.height / 2);
    pen.rotate((turn * Math.PI) / 2);
    pen.drawImage(this.#video, -width / 2, -height / 2, width, height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
    if (!blob) throw new CameraFault("stalled");
    return { blob, width: canvas.width, height: canvas.height };
  }

  // A picture shown already is never sent again: that would look like a camera that is frozen. Where the browser does
  // not tell of new ones, the time of the film does.
  #fresh() {
    const video = this.#video;
    return new Promise((resolve, reject) => {
      const end = performance.now() + STALLED_AFTER;
      let told = false;
      const isNew = () => video.readyState >= 2 && video.videoWidth > 0 && (told || !video.requestVideoFrameCallback);
      video.requestVideoFrameCallback?.(() => {
        told = true;
        look();
      });
      let timer = null;
      const look = () => {
        clearTimeout(timer);
        if (isNew() && (told || video.currentTime !== this.#seen)) {
          this.#seen = video.currentTime;
          resolve();
        } else if (performance.now() > end) {
          reject(new CameraFault("stalled"));
        } else {
          timer = setTimeout(look, TICK);
        }
      };
      look();
    });
  }
}
