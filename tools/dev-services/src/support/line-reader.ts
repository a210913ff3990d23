import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const CHUNK = 256 * 1024;

/** Reads the lines that other processes append to a file. */
export class LineReader {
  private readonly file: number;
  private readonly buffer = Buffer.alloc(CHUNK);
  private readonly decoder = new StringDecoder();
  private position = 0;
  private rest = '';

  /** Creates the file if it does not exist. */
  constructor(readonly path: string) {
    this.file = openSync(path, 'a+');
  }

  /** Returns the lines that have been completed since the last call. */
  read(): string[] {
    const found: string[] = [];
    for (;;) {
      const length = readSync(this.file, this.buffer, 0, CHUNK, this.position);
      if (length === 0) return found;
      this.position += length;
      const lines = (this.rest + this.decoder.write(this.buffer.subarray(0, length))).split('\n');
      this.rest = lines.pop()!;
      for (const line of lines) found.push(line);
    }
  }

  close(): void {
    closeSync(this.file);
  }
}
