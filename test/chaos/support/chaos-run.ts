import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export type Result = { scenario: string; ok: boolean } & Record<string, unknown>;

const main = fileURLToPath(new URL('../../../tools/chaos/dist/main.js', import.meta.url));

/** `tools/chaos` as a process: what it prints, and how it ends. */
export class ChaosRun {
  /** One for each line of JSON. */
  readonly results: Result[] = [];
  readonly ended: Promise<number | null>;
  log = '';
  private closed = false;
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'histories-'));

  constructor(...args: readonly string[]) {
    this.child = spawn(process.execPath, [main, ...args, '--histories', this.folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.results.push(JSON.parse(line) as Result);
      this.child.emit('result');
    });
    this.ended = once(this.child, 'close').then(([code]) => {
      this.closed = true;
      return code as number | null;
    });
  }

  async result(scenario: string): Promise<Result> {
    for (;;) {
      const found = this.results.find((result) => result.scenario === scenario);
      if (found !== undefined) return found;
      if (this.closed) throw new Error(`${scenario} has no result:\n${this.log}`);
      await Promise.race([once(this.child, 'result'), this.ended]);
    }
  }

  /** The histories of the scenarios whose promises held. */
  histories(): string[] {
    const held = this.results.filter(({ ok, skipped }) => ok && skipped === undefined);
    const begins = held.map(({ scenario, seed }) => `${scenario}-${String(seed)}`);
    const files = readdirSync(this.folder).filter((file) => begins.some((begin) => file.startsWith(begin)));
    return files.map((file) => join(this.folder, file));
  }

  async says(text: string): Promise<void> {
    while (!this.log.includes(text)) {
      if (this.closed) throw new Error(`it never said "${text}":\n${this.log}`);
      await Promise.race([once(this.child.stderr, 'data'), this.ended]);
    }
  }

  async end(): Promise<void> {
    if (!this.closed) this.child.kill('SIGINT');
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
