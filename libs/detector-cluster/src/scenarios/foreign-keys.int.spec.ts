import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { electionKeys } from '@detector-cluster/election/internal/redis';
import type { LoggerService } from '@nestjs/common';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { listenerLog, partitionLogs, logKeyTypes } from '@detector-cluster/delivery/internal';
import type { DesiredStateSource } from '../sources/desired-state-source.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { clusterKeyTypes } from '../shared/key-types.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

/** Everything is correct again within this time. Milliseconds. */
const TIMEOUT = 60_000;

/** Shorter than by default, so that the test is. Milliseconds. */
const RESYNC = 5_000;

const PARTITIONS = 32;
const keys = clusterKeys('');
const election = electionKeys('election');
const registry = ['processes', 'processes:expiry', 'master_process', 'formats'].map(
  (name) => `election:${name}`,
);
const CAMERAS = Array.from({ length: 12 }, (_, n) => `d${n};c${n}`);

const source: DesiredStateSource = {
  read: () =>
    Promise.resolve({
      subscriptions: CAMERAS.map((subscriptionIdentifier) => ({
        subscriptionIdentifier,
        rtspUrl: 'rtsp://10.0.0.9/main',
        modelId: 1,
        modelName: 'cars',
        createdAt: new Date(0).toISOString(),
      })),
      skipped: [{ displayId: 'bad', reason: 'no-camera', detail: 'it has none' }],
    }),
};

/** The keys of a table of the documentation, as they are written there. */
function documentedKeys(page: string, heading: string): string[] {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
  const section = text.slice(text.indexOf(`\n${heading}\n`));
  const table = section.slice(0, section.indexOf('\n\n', section.indexOf('\n| ---') + 1));
  const cells = Array.from(table.matchAll(/^\| (`.+?) +\|/gm), ([, cell]) => cell!);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, key]) => key!)).sort();
}

const isDesired = (text: string) => text.includes('"specHash"');

/** A key as the documentation writes it. */
const documented = (key: string): string =>
  key
    .replace(/\{\d+\}/, '{p}')
    .replace(/^worker:slave:.+?(:record)?$/, 'worker:slave:<id>$1')
    .replace(/^worker:slave:<id>:dead.*$/, 'worker:dead_letters')
    .replace(/^election:/, '<lockName>:');

type Damage = (redis: ReturnType<Redis['multi']>, key: string, type: string, fields: string[]) => void;

const GARBAGE = '{"of another program';
const SHAPES = ['null', '{"a":1}', '[[7]]', '"text"'];

const shapeOf = (n: number) => SHAPES[n % SHAPES.length]!;

function write(text: (n: number) => string): Damage {
  return (redis, key, type, fields) => {
    if (type === 'hash')
      for (const [n, field] of [...fields, `foreign-${randomUUID()}`].entries())
        redis.hset(key, field, text(n));
    else if (type === 'stream') redis.xadd(key, '*', 'message', text(0));
    else if (type === 'zset') redis.zadd(key, 1, text(0));
    else redis.set(key, text(0));
  };
}

/** False while Redis cannot be reached, as on a machine that is too busy to dial. */
const reached =
  (ask: () => Promise<boolean | void>): (() => Promise<boolean>) =>
  async () => {
    try {
      return (await ask()) !== false;
    } catch (error) {
      if ((error as Error).name === 'StoreUnreachableError') return false;
      throw error;
    }
  };

const damages: Record<string, Damage> = {
  'a wrong type': (redis, key) => redis.del(key).rpush(key, 'of another program'),
  garbage: write(() => GARBAGE),
  'a wrong shape': write(shapeOf),
  nothing: (redis, key) => redis.del(key),
};

describe('another program writes to keys of a running cluster', () => {
  const lines: string[] = [];
  const note = (line: unknown) => void lines.push(String(line));
  const logger: LoggerService = { log: note, warn: note, error: note, debug: () => {} };
  const delivered = new Map<string, number>();
  const ids = new Set<string>();
  /** How often the listener of each process was called. */
  let listened = [0, 0];
  let held: Promise<void> | undefined;
  let server: RedisService;
  let redis: Redis;
  let worker: TestWorker;
  let processes: ClusterProcess[];

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    worker = await TestWorker.start({ DETECTIONS_PER_SECOND: '10' });
    processes = [];
    for (let n = 0; n < 2; n++)
      processes.push(
        await ClusterProcess.start({
          prefix: '',
          redis: server.url,
          workers: [`ws://127.0.0.1:${worker.port}`],
          desiredState: source,
          timings: { resyncInterval: RESYNC },
          logger,
        }),
      );
    for (const [n, { cluster }] of processes.entries()) {
      cluster.addGlobalDetectionListener(async ({ subscriptionIdentifier }, { detectionId }) => {
        await held;
        ids.add(detectionId);
        delivered.set(subscriptionIdentifier, (delivered.get(subscriptionIdentifier) ?? 0) + 1);
      });
      await cluster.addDetectionListener(CAMERAS[0]!, () => void listened[n]!++);
    }
    await processes[0]!.active(CAMERAS.length);
  });
  afterAll(async () => {
    for (const each of processes.toReversed()) await each.stop();
    await worker.app.close();
    redis.disconnect();
    await server.stop();
  });

  const logs = () => [
    ...partitionLogs(keys, PARTITIONS),
    ...processes.map(({ election: of }) => listenerLog(keys, of.getNodeId())),
  ];

  /** The types of all keys that the cluster writes. */
  const types = (): Map<string, string> =>
    new Map<string, string>([
      [keys.fence, 'string'],
      ...clusterKeyTypes(keys),
      ...logKeyTypes(logs()),
      [election.lease, 'hash'],
      [election.master, 'string'],
      [election.heartbeat, 'string'],
      [election.term, 'string'],
      [election.validity, 'string'],
      [registry[0]!, 'hash'],
      [registry[1]!, 'zset'],
      [registry[2]!, 'string'],
      [registry[3]!, 'hash'],
    ]);

  /** Gives keys that are empty otherwise something to lose. */
  async function fill(): Promise<void> {
    const { cluster } = processes[0]!;
    await cluster.setSessionId(CAMERAS[0]!, 7);
    await cluster.subscribeToCamera(
      'x;explicit',
      'rtsp://10.0.0.9/x',
      'http://m/x',
      1,
      'cars',
      () => undefined,
    );
    await cluster.cordonWorker(`ws://127.0.0.1:${worker.port}`);
    await cluster.uncordonWorker(`ws://127.0.0.1:${worker.port}`);
    await cluster.rebalanceWorkers();
    // Otherwise its streams might change after a damage, and the master would write the key before it noticed.
    await eventually('the stream in Redis', TIMEOUT, async () =>
      (await redis.hvals(keys.streams)).some((list) => list.includes('x;explicit')),
    );
    await cluster.unsubscribeFromCamera('x;explicit');
  }

  it('has all keys in the table of types and in the documentation', async () => {
    await fill();
    await processes[0]!.cluster.resignMaster();
    await eventually(
      'detections',
      TIMEOUT,
      () => CAMERAS.every((id) => delivered.has(id)) && !listened.includes(0),
    );
    const table = [...types().keys()].map(documented);
    expect([...new Set(table)].sort()).toEqual(
      [
        ...documentedKeys('keys-in-redis.md', '## Keys'),
        ...documentedKeys('election.md', '### Keys and channels'),
      ].sort(),
    );
    expect((await redis.keys('*')).filter((key) => !types().has(key))).toEqual([]);
  });

  /** Whether all that can be known is right, as every process tells it. */
  async function isRight(): Promise<boolean> {
    for (const { cluster } of processes) {
      const { subscriptions, skipped } = await cluster.getSubscriptions();
      const state = await cluster.getState();
      await Promise.all([cluster.listEvents(), cluster.listDeadLetters()]);
      const right =
        subscriptions.map(({ subscriptionIdentifier: id }) => id).join() === [...CAMERAS].sort().join() &&
        subscriptions.every(({ status }) => status === 'active') &&
        skipped.length === 1 &&
        state.workers.length === 1 &&
        state.workers[0]!.subscriptions.length === CAMERAS.length &&
        Object.keys(state.assignments).length === PARTITIONS &&
        state.totalSlaves === 1;
      if (!right) return false;
    }
    const desired = await redis.hgetall(keys.desired);
    return Object.keys(desired).length === CAMERAS.length && Object.values(desired).every(isDesired);
  }

  /** Keys on which it depends who leads: without them, another test shows what a living master does. */
  const ofElection = (): Set<string> => new Set([keys.fence, ...Object.values(election), ...registry]);

  /** Keys that this process writes so often that it may do so before it notices. */
  const overwritten = new Set<string>([
    keys.master,
    keys.planner,
    keys.rebalance,
    keys.streamsRevision,
    keys.actualRevision,
    keys.resignation,
    election.master,
    election.heartbeat,
    election.term,
    election.validity,
    registry[2]!,
  ]);

  /** Those that the master does not write anyway every 2 s. */
  const mirrors = [keys.desired, keys.actual, keys.skipped, keys.streams];

  /** Those whose fields it skips or replaces if it cannot read them. */
  const parsed = [
    keys.requested,
    keys.sessions,
    keys.directives,
    keys.patches,
    keys.interests,
    keys.partitions,
    ...partitionLogs(keys, PARTITIONS)
      .filter(({ partition }) => partition! % 2 === 0)
      .map(({ stream }) => stream),
  ];

  it.each(
    Object.keys(damages).flatMap((what) => [
      { what, to: 'keys of the cluster' },
      { what, to: 'keys of the election and the fence' },
    ]),
  )('$what in all $to: all is right again, and nothing else is lost', async ({ what, to }) => {
    const isElection = to !== 'keys of the cluster';
    await eventually('keys that hold something', TIMEOUT, reached(fill));
    await eventually('a cluster that works', TIMEOUT, reached(isRight));
    // What was accepted in the logs of some partitions must be delivered.
    const hold = new AbortController();
    held = new Promise((resolve) => hold.signal.addEventListener('abort', () => resolve()));
    const spared = partitionLogs(keys, PARTITIONS).filter(({ partition }) => partition! % 2 === 1);
    const accepted = new Set<string>();
    await eventually('accepted detections', TIMEOUT, async () => {
      for (const { stream } of spared)
        for (const [, fields] of await redis.xrange(stream, '-', '+'))
          for (const message of fields.at(-1)!.split('\n'))
            accepted.add((JSON.parse(message) as { detectionId: string }).detectionId);
      return accepted.size > 20;
    });
    const undamaged = logKeyTypes(spared);
    const damaged = [...types()].filter(
      ([key]) => !undamaged.has(key) && ofElection().has(key) === isElection,
    );
    const writing = redis.multi();
    for (const [key, type] of damaged) {
      const fields = (await redis.type(key)) === 'hash' ? await redis.hkeys(key) : [];
      damages[what]!(writing, key, type, fields);
    }
    lines.length = 0;
    expect((await writing.exec())!.filter(([error]) => error !== null)).toEqual([]);
    hold.abort();
    held = undefined;

    const began = performance.now();
    const left = () => Math.max(1, TIMEOUT - (performance.now() - began));
    await eventually('keys of the right types', left(), async () => {
      for (const [key, type] of types()) if (!['none', type].includes(await redis.type(key))) return false;
      return true;
    });
    const named = isElection
      ? what === 'nothing'
        ? []
        : [keys.fence, election.lease]
      : what === 'a wrong type'
        ? damaged.map(([key]) => key).filter((key) => !overwritten.has(key))
        : what === 'nothing'
          ? mirrors
          : [...mirrors, ...parsed];
    const unnamed = () =>
      named.filter(
        (key) =>
          !lines.some(
            (line) => line.includes(key) && !/[:\w]/.test(line[line.indexOf(key) + key.length] ?? ''),
          ),
      );
    await eventually('a line of the log for each key', left(), () => unnamed().length === 0).catch(() =>
      expect(unnamed()).toEqual([]),
    );
    await eventually('a cluster that tells what is right', left(), () => isRight().catch(() => false));
    delivered.clear();
    listened = [0, 0];
    await eventually(
      'detections of all cameras',
      left(),
      () => CAMERAS.every((id) => (delivered.get(id) ?? 0) > 3) && listened.every((times) => times > 3),
    );
    await eventually('what was accepted before', left(), () => [...accepted].every((id) => ids.has(id)));
  });
});
