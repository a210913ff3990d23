import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { FAULT_KINDS } from '../../tools/chaos/src/delivery/fault-plan.js';
import { ChaosRun, type Result } from './support/chaos-run.js';
import { checkAgain } from './support/check-again.js';

/** Run side by side, because most of their time is waiting. */
const LANES = [
  [
    'partition',
    'fence',
    'redis-outage',
    'redis-failover',
    'flood',
    'memory-full',
    'clock',
    'one-way',
    'dns',
    'postgres-failover',
    'descriptors',
  ],
  [
    'delivery',
    'herd',
    'drain',
    'storm',
    'redis-restart',
    'disk-full',
    'aof-torn',
    'slow',
    'tls',
    'outage-7min',
    'rolling',
  ],
] as const;

describe('chaos, in short', () => {
  const runs = LANES.map((names) => new ChaosRun(...names, '--short'));
  const asked = new Set<string>();
  /** In its lane; alone for the second attempt of its test. */
  const runOf = (scenario: string): ChaosRun => {
    if (!asked.has(scenario)) {
      asked.add(scenario);
      return runs[LANES.findIndex((names) => (names as readonly string[]).includes(scenario))]!;
    }
    const again = new ChaosRun(scenario, '--short');
    runs.push(again);
    return again;
  };
  /** The figures of a scenario. Rejects with them and the log if a promise broke. */
  const figuresOf = async (scenario: string): Promise<Result> => {
    const run = runOf(scenario);
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

  it('redis-outage: no stream ends in an outage that is longer than workers wait, and the next master sends no command', async () => {
    expect(await figuresOf('redis-outage')).toMatchObject({ fewest: 40, reopened: 0, workerCommands: 0 });
  });

  it('redis-failover: with acceptance by a replica nothing is lost, without it something is', async () => {
    const result = await figuresOf('redis-failover');
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, kills: 2 });
    expect(result.lostWithoutOption).toBeGreaterThan(0);
  });

  it('disk-full: nothing that was accepted is lost, and the service says what is full', async (context) => {
    const result = await figuresOf('disk-full');
    if (typeof result.skipped === 'string') context.skip(result.skipped);
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, everysec: { rivals: 0, named: true } });
  });

  it('memory-full: the master stays master, and the answer to an operator names the memory', async () => {
    const result = await figuresOf('memory-full');
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, rivals: 0, named: true });
  });

  it('aof-torn: only what Redis has forgotten is lost, and no term comes twice', async () => {
    const result = await figuresOf('aof-torn');
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, rivals: 0, termsBack: 0 });
  });

  it('one-way: what arrives late in one direction makes no second master and disturbs no order', async () => {
    expect(await figuresOf('one-way')).toMatchObject({ lost: 0, outOfOrder: 0, rivals: 0, termsBack: 0 });
  });

  it('slow: a slow Redis, master or owner costs neither order nor detections', async () => {
    expect(await figuresOf('slow')).toMatchObject({ lost: 0, outOfOrder: 0, rivals: 0 });
  });

  it('clock: a wrong wall clock costs at most the lease of a master whose clock jumps ahead', async () => {
    expect(await figuresOf('clock')).toMatchObject({ lost: 0, outOfOrder: 0, rivals: 0, changesBefore: 0 });
  });

  it('dns: servers that move behind their names are used where they are, and not where they were', async (context) => {
    const result = await figuresOf('dns');
    if (typeof result.skipped === 'string') context.skip(result.skipped);
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, rivals: 0, late: null, kept: 0 });
  });

  it('postgres-failover: no camera stops because a former primary, a standby or an old image answers', async () => {
    const result = await figuresOf('postgres-failover');
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, rivals: 0, stopped: 0, believed: [] });
  });

  it('tls: a certificate that is refused is named, and its server is back when it is replaced', async () => {
    expect(await figuresOf('tls')).toMatchObject({ lost: 0, outOfOrder: 0, rivals: 0, slow: [] });
  });

  it('descriptors: a master without free descriptors says so and stays, and its workers come back', async (context) => {
    const result = await figuresOf('descriptors');
    if (typeof result.skipped === 'string') context.skip(result.skipped);
    expect(result).toMatchObject({ lost: 0, outOfOrder: 0, rivals: 0, survived: true });
  });

  it('outage-7min: after a long time without Redis all is as before, without a herd', async () => {
    expect(await figuresOf('outage-7min')).toMatchObject({ moves: 0, reopened: 0, workerCommands: 0 });
  });

  it('rolling: replacing all backends one by one costs neither order nor detections', async () => {
    const result = await figuresOf('rolling');
    expect(result).toMatchObject({ lostSent: 0, outOfOrder: 0, misread: 0, rivals: 0, replaced: 4 });
  });

  it('flood: a worker that sends far too much costs the master little memory, and the others nothing', async () => {
    const result = await figuresOf('flood');
    expect(result).toMatchObject({ falselyOffline: 0, quarantined: true, sameMaster: true });
    expect(result.maxGrowthMb).toBeLessThanOrEqual(64);
  });

  it('histories: each is judged like its run again, and is refused with a picture after a change', async () => {
    await Promise.all(runs.map((run) => run.ended));
    const files = runs.flatMap((run) => run.histories());
    const answers = await checkAgain(...files);
    expect(answers).toHaveLength(files.length);
    expect(answers.filter(({ ok }) => !ok)).toEqual([]);
    const file = files.find((each) => each.includes('delivery-'))!;
    const lines = (await readFile(file, 'utf8')).split('\n');
    const delivery = lines.find((line) => line.startsWith('{"delivery"'))!;
    const { detectionId } = (JSON.parse(delivery) as { delivery: { detectionId: string } }).delivery;
    const isOf = (line: string) => line.startsWith('{"delivery"') && line.includes(`"${detectionId}"`);
    const changed = `${file}.changed.jsonl`;
    await writeFile(changed, lines.filter((line) => !isOf(line)).join('\n'));
    const [answer] = await checkAgain(changed);
    expect(answer).toMatchObject({ ok: false, broken: ['lost'], figures: { lost: 1 } });
    expect(answer!.violations).toEqual([expect.objectContaining({ what: `detection ${detectionId}` })]);
    expect(await readFile(answer!.svg!, 'utf8')).toContain(`detection ${detectionId}`);
  });

  it('exits 0 if every scenario held, else 1', async () => {
    const codes = await Promise.all(runs.map((run) => run.ended));
    expect(codes).toEqual(runs.map(({ results }) => (results.every(({ ok }) => ok) ? 0 : 1)));
  });
});
