/** Collects bits, most significant first, into the entropy-coded bytes of a JPEG scan. */
export class BitWriter {
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
