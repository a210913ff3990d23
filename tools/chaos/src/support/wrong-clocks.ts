import { tempDirectory } from '@detector-cluster/dev-services';
import type { AppProcess } from '@detector-cluster/local-cluster';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ClockError {
  /** How far the wall clock is ahead from the start. Milliseconds; negative: it is behind. */
  readonly ahead: number;
  /** How much more it gains with each millisecond since then. */
  readonly gains: number;
  /** Milliseconds since 1970, by the true clock. */
  readonly since: number;
}

/** Wall clocks of single processes, without effect on the machine's. */
export class WrongClocks {
  private constructor(private readonly directory: string) {}

  static async create(): Promise<WrongClocks> {
    return new WrongClocks(await tempDirectory('clocks'));
  }

  /** Environment of the backends. */
  get env(): Readonly<Record<string, string>> {
    const preload = new URL('../../dist/support/wrong-clock.preload.js', import.meta.url);
    return { CLOCKS: this.directory, NODE_OPTIONS: `--import=${preload.href}` };
  }

  async set({ name }: AppProcess, { ahead = 0, gains = 0 }: Partial<ClockError>): Promise<void> {
    const error: ClockError = { ahead, gains, since: Date.now() };
    const file = join(this.directory, name);
    await writeFile(`${file}.new`, JSON.stringify(error));
    await rename(`${file}.new`, file);
  }

  async close(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}
