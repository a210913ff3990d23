/** Collects bits, most significant first, into the entropy-coded bytes of a JPEG scan. */
class BitWriter {
  readonly #bytes: number[] = [];
  #current = 0;
  #filled = 0;

  write(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) {
      this.#current = (this.#current << 1) | ((value >> bit) & 1);
      if (++this.#filled === 8) this.flush();
    }
  }

  /** The bytes so far, the last one filled up with ones as the format asks. */
  finish(): Buffer {
    while (this.#filled > 0) this.write(1, 1);
    return Buffer.from(this.#bytes);
  }

  private flush(): void {
    this.#bytes.push(this.#current);
    // 0xFF begins a marker; inside a scan it is followed by a zero byte.
    if (this.#current === 0xff) this.#bytes.push(0);
    this.#current = 0;
    this.#filled = 0;
  }
}

const BLOCK = 8;
const MAX_COMMENT_BYTES = 0xffff - 2;
const CATEGORIES = 9;

const segment = (marker: number, body: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const JFIF = segment(0xe0, Buffer.from('JFIF\0\u0001\u0001\0\0\u0001\0\u0001\0\0', 'latin1'));
// Every step is 8: the constant part of a block, eight times its mean, then counts in steps of one gray level.
const QUANTIZATION = segment(0xdb, Buffer.from([0, ...Array<number>(64).fill(8)]));
// Constant parts: 9 categories, each with the 4-bit code equal to its number.
const DC_CODES = segment(
  0xc4,
  Buffer.from([0x00, 0, 0, 0, CATEGORIES, ...Array<number>(12).fill(0), ...Array(CATEGORIES).keys()]),
);
// Details: only "end of block", with the 1-bit code 0.
const AC_CODES = segment(0xc4, Buffer.from([0x10, 1, ...Array<number>(15).fill(0), 0]));
const SCAN = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));

function frameHeader(blocksWide: number, blocksHigh: number): Buffer {
  const body = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  body.writeUInt16BE(blocksHigh * BLOCK, 1);
  body.writeUInt16BE(blocksWide * BLOCK, 3);
  return segment(0xc0, body);
}

/** JPEG's variable-length number: its category is the bit length, negatives count up from zero. */
function writeDifference(bits: BitWriter, difference: number): void {
  const category = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference));
  bits.write(category, 4);
  bits.write(difference < 0 ? difference + (1 << category) - 1 : difference, category);
}

/**
 * A baseline JPEG (ITU T.81) of blocks of 8 × 8 pixels, each of one gray level.
 *
 * @param levels rows of gray levels 0 to 255, all of the same length
 * @param comment text for the comment segment
 */
export function grayJpeg(levels: readonly (readonly number[])[], comment: string): Buffer {
  const bits = new BitWriter();
  let previous = 128;
  for (const level of levels.flat()) {
    writeDifference(bits, level - previous);
    previous = level;
    bits.write(0, 1);
  }
  return Buffer.concat([
    START,
    JFIF,
    segment(0xfe, Buffer.from(comment).subarray(0, MAX_COMMENT_BYTES)),
    QUANTIZATION,
    frameHeader(levels[0]?.length ?? 0, levels.length),
    DC_CODES,
    AC_CODES,
    SCAN,
    bits.finish(),
    END,
  ]);
}
