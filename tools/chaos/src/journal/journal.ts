import { tempDirectory } from '@detector-cluster/dev-services';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDelivery, type Delivery } from './journal-line.js';

/** Backends that write into the journal named in their environment as JOURNAL. */
export const JOURNALLED_BACKEND = 'tools/chaos/dist/journal/journalled-backend.child.js';

/** A file to which the backends write, read from here as it grows. */
export class Journal {
  readonly deliveries: Delivery[] = [];
  private offset = 0;
  private rest = '';

  private constructor(
    private readonly directory: string,
    private readonly file: FileHandle,
  ) {}

  static async create(): Promise<Journal> {
    const directory = await tempDirectory('journal');
    const path = join(directory, 'journal');
    await writeFile(path, '');
    return new Journal(directory, await open(path));
  }

  get path(): string {
    return join(this.directory, 'journal');
  }

  /** Takes in what has been written since the last call. */
  async read(): Promise<void> {
    const chunk = Buffer.alloc(1024 * 1024);
    for (;;) {
      const { bytesRead } = await this.file.read(chunk, 0, chunk.length, this.offset);
      if (bytesRead === 0) return;
      this.offset += bytesRead;
      const lines = (this.rest + chunk.toString('latin1', 0, bytesRead)).split('\n');
      this.rest = lines.pop()!;
      for (const line of lines) this.deliveries.push(parseDelivery(line));
    }
  }

  async close(): Promise<void> {
    await this.file.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
