import { tempDirectory } from '@detector-cluster/dev-services';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJournalLine, type Delivery, type Stall } from './journal-line.js';

/** Script of backends that write into the journal named in their environment as JOURNAL. */
export const JOURNALLED_BACKEND = 'tools/chaos/dist/journal/journalled-backend.child.js';

/** A file to which the backends write. This class reads it as it grows. */
export class Journal {
  /** Almost in the order of their starts: each process writes a line right after it takes the time. */
  readonly deliveries: Delivery[] = [];
  /** Ids of the detections that masters have called accepted. Only with JOURNAL_ACCEPTED in the backends' environment. */
  readonly accepted = new Set<string>();
  /** Times in which the event loop of a backend was blocked. */
  readonly stalls: Stall[] = [];
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

  /** Reads the lines written since the last call. */
  async read(): Promise<void> {
    const chunk = Buffer.alloc(1024 * 1024);
    for (;;) {
      const { bytesRead } = await this.file.read(chunk, 0, chunk.length, this.offset);
      if (bytesRead === 0) return;
      this.offset += bytesRead;
      const lines = (this.rest + chunk.toString('latin1', 0, bytesRead)).split('\n');
      this.rest = lines.pop()!;
      for (const text of lines) {
        const line = parseJournalLine(text);
        if (line.kind === 'delivery') this.deliveries.push(line.delivery);
        else if (line.kind === 'accepted') this.accepted.add(line.accepted.detectionId);
        else this.stalls.push(line.stall);
      }
    }
  }

  async close(): Promise<void> {
    await this.file.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
