const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** The scanner recurses, so it gives up on text that is nested deeper. */
const MAX_DEPTH = 32;

// Past the end there is `undefined`, which compares as false.
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isHexDigit = (c: number): boolean => isDigit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);
const isSpace = (c: number): boolean =>
  c <= SPACE && (c === SPACE || c === NEWLINE || c === RETURN || c === TAB);
const isEscape = (c: number): boolean =>
  // " \ / b f n r t
  c === 0x22 ||
  c === 0x5c ||
  c === 0x2f ||
  c === 0x62 ||
  c === 0x66 ||
  c === 0x6e ||
  c === 0x72 ||
  c === 0x74;

/** Names by their length, for {@link JsonScanner.indexIn}. */
export type ScannedNames = readonly (readonly { readonly name: Uint8Array; readonly index: number }[])[];

export function scannedNames(names: readonly string[]): ScannedNames {
  const known = names.map((name, index) => ({ name: Buffer.from(name), index }));
  const longest = Math.max(...known.map(({ name }) => name.length));
  return Array.from({ length: longest + 1 }, (_, length) =>
    known.filter(({ name }) => name.length === length),
  );
}

/**
 * Walks over JSON text in UTF-8 without creating values. If a method returns false, the text is not JSON, or it contains
 * what the scanner does not read: an escape in a name, or deep nesting. The scanner cannot continue on that text.
 */
export class JsonScanner {
  /** Start and end of the last string, name or number, without quotes. */
  start = 0;
  stop = 0;
  /** Whether the last string or name has no escapes. */
  plain = true;
  /** Whether the last number has neither a fraction nor an exponent. */
  integer = true;
  /** Whether the last number has no exponent. */
  decimal = true;

  private bytes: Uint8Array = NULL;
  private at = 0;
  private depth = 0;

  reset(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.at = 0;
    this.depth = 0;
    this.space();
  }

  /** Whether only white space follows. */
  ends(): boolean {
    this.space();
    return this.at === this.bytes.length;
  }

  /** Enters an object. Returns false if none begins here. */
  entersObject(): boolean {
    if (this.bytes[this.at] !== OPEN_OBJECT || ++this.depth > MAX_DEPTH) return false;
    this.at++;
    this.space();
    return true;
  }

  /** After `{`: leaves the object if it is empty, and returns whether it is. */
  leavesEmptyObject(): boolean {
    return this.leaves(CLOSE_OBJECT);
  }

  /** Reads a name and its colon. */
  name(): boolean {
    if (!this.string() || !this.plain) return false;
    this.space();
    if (this.bytes[this.at] !== COLON) return false;
    this.at++;
    this.space();
    return true;
  }

  /** After a member or an element: returns 1 if another one follows, 0 if the object or array ends, else -1. */
  next(close = CLOSE_OBJECT): -1 | 0 | 1 {
    this.space();
    if (this.leaves(close)) return 0;
    if (this.bytes[this.at] !== COMMA) return -1;
    this.at++;
    this.space();
    return 1;
  }

  string(): boolean {
    const { bytes } = this;
    let i = this.at;
    if (bytes[i] !== QUOTE) return false;
    this.start = ++i;
    this.plain = true;
    for (const { length } = bytes; i < length; i++) {
      const c = bytes[i]!;
      if (c === QUOTE) {
        this.stop = i;
        this.at = i + 1;
        return true;
      }
      if (c === BACKSLASH) {
        this.plain = false;
        if (bytes[++i] === LOWER_U) {
          for (let digit = 0; digit < 4; digit++) if (!isHexDigit(bytes[++i]!)) return false;
        } else if (!isEscape(bytes[i]!)) return false;
      } else if (c < SPACE) return false;
    }
    return false;
  }

  number(): boolean {
    const { bytes } = this;
    let i = this.at;
    this.start = i;
    this.integer = this.decimal = true;
    if (bytes[i] === MINUS) i++;
    if (!isDigit(bytes[i]!)) return false;
    if (bytes[i] === ZERO) i++;
    else while (isDigit(bytes[i]!)) i++;
    if (bytes[i] === POINT) {
      this.integer = false;
      if (!isDigit(bytes[++i]!)) return false;
      while (isDigit(bytes[i]!)) i++;
    }
    if (bytes[i] === LOWER_E || bytes[i] === UPPER_E) {
      this.integer = this.decimal = false;
      const sign = bytes[++i];
      if (sign === PLUS || sign === MINUS) i++;
      if (!isDigit(bytes[i]!)) return false;
      while (isDigit(bytes[i]!)) i++;
    }
    this.stop = i;
    this.at = i;
    return true;
  }

  null(): boolean {
    return this.word(NULL);
  }

  /** Skips any value. */
  value(): boolean {
    switch (this.bytes[this.at]) {
      case QUOTE:
        return this.string();
      case OPEN_OBJECT:
        return this.object();
      case OPEN_ARRAY:
        return this.array();
      case TRUE[0]:
        return this.word(TRUE);
      case FALSE[0]:
        return this.word(FALSE);
      case NULL[0]:
        return this.word(NULL);
      default:
        return this.number();
    }
  }

  /** Index of the last string or name among `names`, else -1. */
  indexIn(names: ScannedNames): number {
    const { bytes, start } = this;
    const length = this.stop - start;
    const candidates = names[length];
    if (candidates === undefined) return -1;
    for (let candidate = 0; candidate < candidates.length; candidate++) {
      const { name, index } = candidates[candidate]!;
      let i = 0;
      while (i < length && bytes[start + i] === name[i]) i++;
      if (i === length) return index;
    }
    return -1;
  }

  private object(): boolean {
    if (!this.entersObject()) return false;
    if (this.leavesEmptyObject()) return true;
    for (;;) {
      if (!this.name() || !this.value()) return false;
      const next = this.next();
      if (next !== 1) return next === 0;
    }
  }

  private array(): boolean {
    if (++this.depth > MAX_DEPTH) return false;
    this.at++;
    this.space();
    if (this.leaves(CLOSE_ARRAY)) return true;
    for (;;) {
      if (!this.value()) return false;
      const next = this.next(CLOSE_ARRAY);
      if (next !== 1) return next === 0;
    }
  }

  private leaves(close: number): boolean {
    if (this.bytes[this.at] !== close) return false;
    this.at++;
    this.depth--;
    return true;
  }

  private word(word: Uint8Array): boolean {
    const { bytes, at } = this;
    for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
    this.at = at + word.length;
    return true;
  }

  private space(): void {
    const { bytes } = this;
    let i = this.at;
    while (i < bytes.length && isSpace(bytes[i]!)) i++;
    this.at = i;
  }
}
