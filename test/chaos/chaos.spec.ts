import { isAlive } from '@detector-cluster/dev-services';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { descendants } from '../e2e/support/descendants.js';

const PATIENCE = 300_000;
jest.setTimeout(PATIENCE);

/** Run side by side, because most of their time is waiting. */
const LANES = [
  ['partition', 'fence', 'redis-restart'],
  ['delivery', 'herd', 'drain', 'storm'],
] as const;

type Result = { scenario: string; ok: boolean } & Record<string, unknown>;

const main = fileURLToPath(new URL('../../tools/chaos/dist/main.js', import.meta.url));

/** `tools/chaos` as a process: what it prints, and how it ends. */
class ChaosRun {
  readonly results = new Map<string, Result>();
  readonly ended: Promise<number | null>;
  log = '';
  private closed = false;
  readonly child: ChildProcessByStdio<null, Readable, Readable>;

  constructor(...args: readonly string[]) {
    this.child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const result = JSON.parse(line) as Result;
      this.results.set(result.scenario, result);
      this.child.emit('result');
    });
    this.ended = once(this.child, 'close').then(([code]) => {
      this.closed = true;
      return code as number | null;
    });
  }

  async result(scenario: string): Promise<Result> {
    for (;;) {
      const found = this.results.get(scenario);
      if (found !== undefined) return found;
      if (this.closed) throw new Error(`${scenario} has no result:\n${this.log}`);
      await Promise.race([once(this.child, 'result'), this.ended]);
    }
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
  }
}

describe('chaos, in short', () => {
  const runs = LANES.map((names) => new ChaosRun(...names, '--short'));
  const resultOf = async (scenario: string) => {
    const lane = LANES.findIndex((names) => (names as readonly string[]).includes(scenario));
    const result = await runs[lane]!.result(scenario);
    if (!result.ok) console.error(`${JSON.stringify(result)}\n${runs[lane]!.log}`);
    return result;
  };
  afterAll(() => Promise.all(runs.map((run) => run.end())));

  it('delivery: nothing that was accepted is lost or out of order', async () => {
    const result = await resultOf('delivery');
    expect(result).toMatchObject({ ok: true, lost: 0, outOfOrder: 0, unaccounted: 0 });
    expect(result.duplicates).toBeLessThanOrEqual(64 * (Number(result.kills) + Number(result.cuts)));
    expect(result.kills).toBeGreaterThan(0);
  });

  it('fence: no command of a replaced master is taken by a worker that knows terms', async () => {
    const result = await resultOf('fence');
    expect(result).toMatchObject({ ok: true, staleCommands: 0 });
    expect(result.staleCommandsLegacy).toBeGreaterThan(0);
  });

  it('partition: nothing moves while most workers are gone for a while', async () => {
    expect(await resultOf('partition')).toMatchObject({ ok: true, moves: 0, vanished: 6, missed: 6 });
  });

  it('herd: workers that restart together are dialled a few at a time', async () => {
    const result = await resultOf('herd');
    expect(result.ok).toBe(true);
    expect(result.maxDialsInFlight).toBeLessThanOrEqual(16);
  });

  it('drain: a worker is emptied without its subscriptions falling silent', async () => {
    const result = await resultOf('drain');
    expect(result).toMatchObject({ subscriptions: 20, left: 0 });
    // A machine that is busy with other things makes gaps of its own.
    expect(result.maxGapMs).toBeLessThan(500 + Number(result.usualGapMs));
  });

  it('storm: many writes are few regenerations, those rolled back are none', async () => {
    const result = await resultOf('storm');
    expect(result).toMatchObject({ ok: true, workerCommands: 0 });
    expect(result.regenerations).toBeLessThanOrEqual(Number(result.regenerationsAllowed));
  });

  it('redis-restart: all state is made anew, and nothing moves', async () => {
    expect(await resultOf('redis-restart')).toMatchObject({ ok: true, moves: 0 });
  });

  it('exits 0 if every scenario held, else 1', async () => {
    const codes = await Promise.all(runs.map((run) => run.ended));
    expect(codes).toEqual(runs.map(({ results }) => ([...results.values()].every(({ ok }) => ok) ? 0 : 1)));
  });
});

describe('chaos, on the command line', () => {
  it('SIGINT: says so, exits 1 and leaves nothing running', async () => {
    const run = new ChaosRun('partition', '--short', '--vanish-ms', '600000');
    try {
      await run.says('workers vanish');
      const started = descendants(run.child.pid!);
      expect(started.length).toBeGreaterThan(4);
      run.child.kill('SIGINT');
      expect(await run.ended).toBe(1);
      expect(await run.result('partition')).toMatchObject({ ok: false, error: 'ended by SIGINT' });
      expect(started.filter(isAlive)).toEqual([]);
    } finally {
      await run.end();
    }
  });

  it('an unknown scenario: names those that there are, and exits 1', async () => {
    const run = new ChaosRun('delivry');
    expect(await run.ended).toBe(1);
    expect(run.log).toMatch(/unknown scenario: delivry; there are: delivery, fence, partition/);
  });
});
