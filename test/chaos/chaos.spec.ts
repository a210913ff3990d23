import { isAlive } from '@detector-cluster/dev-services';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { FAULT_KINDS } from '../../tools/chaos/src/delivery/fault-plan.js';
import { descendants } from '../e2e/support/descendants.js';

const TIMEOUT = 300_000;
jest.setTimeout(TIMEOUT);

/** Run side by side, because most of their time is waiting. */
const LANES = [
  ['partition', 'fence', 'redis-restart', 'redis-failover'],
  ['delivery', 'herd', 'drain', 'storm'],
] as const;

type Result = { scenario: string; ok: boolean } & Record<string, unknown>;

const main = fileURLToPath(new URL('../../tools/chaos/dist/main.js', import.meta.url));

/** `tools/chaos` as a process: what it prints, and how it ends. */
class ChaosRun {
  /** One for each line of JSON. */
  readonly results: Result[] = [];
  readonly ended: Promise<number | null>;
  log = '';
  private closed = false;
  readonly child: ChildProcessByStdio<null, Readable, Readable>;

  constructor(...args: readonly string[]) {
    this.child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
  /** The figures of a scenario. Rejects with them and the log if a promise broke. */
  const figuresOf = async (scenario: string): Promise<Result> => {
    const run = runs[LANES.findIndex((names) => (names as readonly string[]).includes(scenario))]!;
    const result = await run.result(scenario);
    if (!result.ok) throw new Error(`a promise broke: ${JSON.stringify(result)}\n${run.log}`);
    return result;
  };
  afterAll(() => Promise.all(runs.map((run) => run.end())));

  it('delivery: nothing that was accepted is lost or out of order', async () => {
    const result = await figuresOf('delivery');
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, unaccounted: 0, unfinished: 0 });
    expect(result.duplicates).toBeLessThanOrEqual(64 * Number(result.faults));
    expect(result.maxRefusedMs).toBeLessThanOrEqual(3_000);
    expect(result.accepted).toBeGreaterThanOrEqual(10_000);
    for (const kind of FAULT_KINDS) expect([kind, result[kind]]).not.toEqual([kind, 0]);
  });

  it('fence: no command of a replaced master is taken by a worker that knows terms', async () => {
    const result = await figuresOf('fence');
    expect(result).toMatchObject({ staleCommands: 0 });
    expect(result.staleCommandsLegacy).toBeGreaterThan(0);
  });

  it('partition: nothing moves while most workers are offline for a while', async () => {
    expect(await figuresOf('partition')).toMatchObject({ moves: 0, vanished: 6, missed: 6 });
  });

  it('herd: workers that restart together are dialled a few at a time', async () => {
    const { maxDialsInFlight } = await figuresOf('herd');
    expect(maxDialsInFlight).toBeLessThanOrEqual(16);
  });

  it('drain: a worker is emptied without its subscriptions falling silent', async () => {
    const result = await figuresOf('drain');
    expect(result).toMatchObject({ subscriptions: 20, left: 0 });
    expect(result.maxGapMs).toBeLessThan(500);
  });

  it('storm: many writes cause few regenerations, none is lost, and those rolled back do nothing', async () => {
    const result = await figuresOf('storm');
    // `ok` says that they were few, or took little of the time.
    expect(result).toMatchObject({ ok: true, staleCrops: 0, workerCommands: 0 });
    expect(result.regenerations).toBeGreaterThan(0);
  });

  it('redis-restart: the master rebuilds all state, and nothing moves', async () => {
    expect(await figuresOf('redis-restart')).toMatchObject({ moves: 0 });
  });

  it('redis-failover: with acceptance by a replica nothing is lost, without it something is', async () => {
    const result = await figuresOf('redis-failover');
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, kills: 2 });
    expect(result.lostWithoutOption).toBeGreaterThan(0);
  });

  it('exits 0 if every scenario held, else 1', async () => {
    const codes = await Promise.all(runs.map((run) => run.ended));
    expect(codes).toEqual(runs.map(({ results }) => (results.every(({ ok }) => ok) ? 0 : 1)));
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

  it('SIGINT ends a run over several seeds with one line of JSON', async () => {
    const run = new ChaosRun('partition', '--short', '--seed', '7', '--seeds', '3', '--vanish-ms', '600000');
    try {
      await run.says('workers vanish');
      run.child.kill('SIGINT');
      expect(await run.ended).toBe(1);
      expect(run.results).toEqual([
        {
          scenario: 'partition',
          ok: false,
          seeds: { first: 7, count: 1 },
          failedSeeds: [7],
          errors: { '7': 'ended by SIGINT' },
          worst: {},
          total: {},
        },
      ]);
    } finally {
      await run.end();
    }
  });

  it.each([
    ['delivry', /unknown scenario: delivry; there are: delivery, fence, partition/],
    ['--seeds=0', /--seeds must be a whole number of at least 1, got "0"/],
  ])('refuses %s with a reason and exits 1', async (argument, reason) => {
    const run = new ChaosRun(argument);
    expect(await run.ended).toBe(1);
    expect(run.log).toMatch(reason);
  });
});
