/**
 * QR codes (ISO/IEC 18004) for short addresses: byte mode, error correction M, versions 1 to 6.
 *
 * `qr(text)` gives the modules as rows of booleans, dark ones true.
 */

/** Of each version from 1: blocks, data bytes and correction bytes of each, and where its alignment pattern lies. */
const VERSIONS = [
  [1, 16, 10, 0],
  [1, 28, 16, 18],
  [1, 44, 26, 22],
  [2, 32, 18, 26],
  [2, 43, 24, 30],
  [4, 27, 16, 34],
];
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];
/** The bits of a finder with light on one side, which must not appear elsewhere. */
const LIKE_FINDER = ["10111010000", "00001011101"];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = EXP[power + 255] = value;
  LOG[value] = power;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}

/** The code of `text`, or null where it is too long (106 bytes are the most). */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + VERSIONS.findIndex(([blocks, data]) => blocks * data >= bytes.length + 2);
  if (version === 0) return null;
  const bits = withCorrection(version, packed(version, bytes));
  let best = null;
  MASKS.forEach((mask, number) => {
    const code = placed(version, bits, mask, number);
    const fault = faults(code);
    if (!best || fault < best.fault) best = { code, fault };
  });
  return best.code;
}

/** Mode, length and text as bytes, filled up to what the version holds. */
function packed(version, bytes) {
  const [blocks, each] = VERSIONS[version - 1];
  const whole = [0x40 | (bytes.length >> 4)];
  let rest = bytes.length & 15;
  for (const byte of bytes) {
    whole.push((rest << 4) | (byte >> 4));
    rest = byte & 15;
  }
  whole.push(rest << 4);
  for (let filler = 0xec; whole.length < blocks * each; filler ^= 0xec ^ 0x11) whole.push(filler);
  return whole;
}

/** The bytes of all blocks and their correction in the order in which they are placed, as bits. */
function withCorrection(version, bytes) {
  const [count, each, extra] = VERSIONS[version - 1];
  const blocks = Array.from({ length: count }, (_, at) => bytes.slice(at * each, (at + 1) * each));
  const corrections = blocks.map((block) => correction(block, extra));
  const order = [];
  for (let at = 0; at < each; at += 1) for (const block of blocks) order.push(block[at]);
  for (let at = 0; at < extra; at += 1) for (const block of corrections) order.push(block[at]);
  return order.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> (7 - bit)) & 1));
}

/** Reed-Solomon: what remains of the block divided by the generator of that many roots. */
function correction(block, count) {
  let generator = [1];
  for (let root = 0; root < count; root += 1) {
    const next = [...generator, 0];
    generator.forEach((factor, at) => {
      next[at + 1] ^= times(factor, EXP[root]);
    });
    generator = next;
  }
  const rest = [...block, ...new Array(count).fill(0)];
  for (let at = 0; at < block.length; at += 1) {
    const lead = rest[at];
    generator.forEach((factor, step) => {
      rest[at + step] ^= times(factor, lead);
    });
  }
  return rest.slice(block.length);
}

function times(one, other) {
  return one && other ? EXP[LOG[one] + LOG[other]] : 0;
}

function placed(version, bits, mask, number) {
  const size = 17 + 4 * version;
  const code = Array.from({ length: size }, () => new Array(size).fill(null));
  const set = (x, y, dark) => {
    if (x >= 0 && y >= 0 && x < size && y < size) code[y][x] = dark;
  };
  const square = (left, top, width, dark) => {
    for (let y = 0; y < width; y += 1) for (let x = 0; x < width; x += 1) set(left + x, top + y, dark(x, y));
  };
  const ring = (x, y, middle) => Math.max(Math.abs(x - middle), Math.abs(y - middle));

  for (let at = 8; at < size - 8; at += 1) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
  // A finder is drawn with the light border around it.
  for (const [x0, y0] of [[-1, -1], [size - 8, -1], [-1, size - 8]]) {
    square(x0, y0, 9, (x, y) => ring(x, y, 4) !== 2 && ring(x, y, 4) !== 4);
  }
  const middle = VERSIONS[version - 1][3];
  if (middle) square(middle - 2, middle - 2, 5, (x, y) => ring(x, y, 2) !== 1);
  drawFormat(set, size, formatOf(number));

  // Two columns at a time, from the right, up and down, past the column of the timing pattern.
  let next = 0;
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const y = upwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (code[y][x] !== null) continue;
        code[y][x] = Boolean(bits[next] ?? 0) !== mask(x, y);
        next += 1;
      }
    }
    upwards = !upwards;
  }
  return code;
}

/** Correction level M (its bits are 0) and mask as 15 bits. */
function formatOf(mask) {
  let rest = mask << 10;
  for (let at = 14; at >= 10; at -= 1) if ((rest >> at) & 1) rest ^= 0x537 << (at - 10);
  return ((mask << 10) | rest) ^ 0x5412;
}

function drawFormat(set, size, format) {
  for (let at = 0; at < 15; at += 1) {
    const dark = ((format >> at) & 1) === 1;
    if (at < 6) set(8, at, dark);
    else if (at < 8) set(8, at + 1, dark);
    else if (at === 8) set(7, 8, dark);
    else set(14 - at, 8, dark);
    if (at < 8) set(size - 1 - at, 8, dark);
    else set(8, size - 15 + at, dark);
  }
  set(8, size - 8, true);
}

/** How hard the code is to read: long runs, full squares, what looks like a finder, too much of one colour. */
function faults(code) {
  const size = code.length;
  const columns = code.map((_, x) => code.map((row) => row[x]));
  let sum = 0;
  for (const row of [...code, ...columns]) {
    const line = row.map(Number).join("");
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    for (const pattern of LIKE_FINDER) {
      for (let at = line.indexOf(pattern); at >= 0; at = line.indexOf(pattern, at + 1)) sum += 40;
    }
  }
  let dark = 0;
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      dark += code[y][x];
      const same = y + 1 < size && x + 1 < size && code[y][x] === code[y][x + 1];
      if (same && code[y][x] === code[y + 1][x] && code[y][x] === code[y + 1][x + 1]) sum += 3;
    }
  }
  return sum + 10 * Math.floor(Math.abs((20 * dark) / size ** 2 - 10));
}
