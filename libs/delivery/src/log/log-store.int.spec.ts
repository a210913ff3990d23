import { closeRedis } from '@detector-cluster/election/redis';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { env } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryKeys } from './delivery-keys.js';
import { type LogDump, MemoryLogServer, memoryLogStore } from '../test-support/memory-log-server.js';
import { listenerLog, partitionLog, type LogAddress } from './log-address.js';
import type { AppendOptions, Grant, LogBatch, LogSource, LogStore, Rest } from './log-store.js';
import { RedisLogSource } from './redis-log-source.js';
import { RedisLogStore } from './redis-log-store.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';

type Store = LogStore & Pick<LogSource, 'read'>;

/** What a call needs to know about the logs to refer to existing ones. */
interface Present {
  readonly logs: readonly LogAddress[];
  readonly memory: MemoryLogServer;
}

/** Two partitions and a listener stream. */
const log = fc.nat(2);
const term = fc.integer({ min: 1, max: 3 });
const process = fc.constantFrom('a', 'b', '');
const epoch = fc.constantFrom('', '1.1', '1.2', '2.1', '2.2', '3.1');
/** Places of entries in the log; beyond its end, ids of others. */
const places = fc.array(fc.nat(8), { maxLength: 4 });
const texts = fc.array(fc.constantFrom('x', 'seven b', 'ä€😀', 'm'.repeat(40)), {
  minLength: 1,
  maxLength: 6,
});

/** Which detections of a batch are finished. */
const masks = fc.array(fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), {
  minLength: 4,
  maxLength: 4,
});

/** Of the messages of a call, in their order: detections of two workers and two subscriptions. */
const numbered = fc.array(
  fc.option(
    fc
      .tuple(
        fc.constantFrom('bootA123', 'bootB123'),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('d;1', 'd;2 x'),
      )
      .map(([boot, seq, subscription]) => `${boot}-${seq} ${subscription}`),
    { nil: '' },
  ),
  { minLength: 6, maxLength: 6 },
);

interface Caller {
  readonly process: string;
  readonly epoch: string;
}

/** Null: the owner. */
const caller = fc.option(fc.record({ process, epoch }), { freq: 4 });

const several = <T>(calls: fc.Arbitrary<T>) => fc.array(calls, { minLength: 1, maxLength: 3 });

const append = fc.record({
  kind: fc.constant('append' as const),
  appends: several(
    fc.record({
      log,
      first: fc.integer({ min: 1, max: 12 }),
      texts,
      most: fc.integer({ min: 1, max: 4 }),
      numbered,
    }),
  ),
  options: fc.record({
    term,
    maxBacklogEntries: fc.constantFrom(3, 8, 100),
    maxBacklogBytes: fc.constantFrom(30, 90, 10_000),
    overflow: fc.constantFrom<AppendOptions['overflow']>('drop-oldest', 'refuse-new'),
    acceptance: fc.option(fc.constant({ replicas: 0, timeout: 10 })),
    over: fc.boolean(),
  }),
});
const acknowledge = fc.record({
  kind: fc.constant('acknowledge' as const),
  calls: several(fc.record({ log, caller, number: fc.integer({ min: 1, max: 6 }), places, masks })),
});
const deadLetter = fc.record({
  kind: fc.constant('deadLetter' as const),
  log,
  caller,
  place: fc.nat(4),
  line: fc.nat(3),
  most: fc.integer({ min: 1, max: 3 }),
  error: fc.string(),
});
const grant = fc.record({
  kind: fc.constant('grant' as const),
  term,
  grants: several(
    fc.record({
      log: fc.nat(1),
      action: fc.constantFrom<Grant['action']>('take', 'take', 'hand-over', 'keep'),
      to: fc.constantFrom('a', 'b'),
      epoch,
      expected: fc.option(epoch, { freq: 4 }),
    }),
  ),
});
const release = fc.record({
  kind: fc.constant('release' as const),
  log: fc.nat(1),
  caller,
  rest: fc.constantFrom<Rest>('released', 'unfinished'),
});
const seal = fc.record({ kind: fc.constant('seal' as const), term, logs: fc.subarray([0, 1, 2]) });
const fetch = fc.record({ kind: fc.constant('fetch' as const), log, places });
const read = fc.record({
  kind: fc.constant('read' as const),
  places: fc.tuple(fc.nat(8), fc.nat(8), fc.nat(8)),
  count: fc.integer({ min: 1, max: 4 }),
});
const records = fc.record({ kind: fc.constant('records' as const) });
const claims = fc.record({ kind: fc.constant('claims' as const) });
const expel = fc.record({
  kind: fc.constant('expel' as const),
  log,
  term,
  recent: fc.boolean(),
  settled: fc.nat(12),
  most: fc.integer({ min: 1, max: 3 }),
});

const step = fc.oneof(
  { weight: 6, arbitrary: append },
  { weight: 5, arbitrary: acknowledge },
  { weight: 2, arbitrary: deadLetter },
  { weight: 4, arbitrary: grant },
  { weight: 2, arbitrary: release },
  { weight: 1, arbitrary: seal },
  { weight: 1, arbitrary: fetch },
  { weight: 1, arbitrary: read },
  { weight: 1, arbitrary: records },
  { weight: 1, arbitrary: claims },
  { weight: 2, arbitrary: expel },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The call of a step, the same for every store. */
function callOf(made: Step, { logs, memory }: Present): (store: Store) => Promise<unknown> {
  const idsAt = (address: LogAddress, at: readonly number[]): string[] => {
    const { entries } = memory.dump(address);
    return at.map((place) => entries[place]?.[0] ?? `2-${place}`);
  };
  const ownerOf = (address: LogAddress): Caller => {
    const { record } = memory.dump(address);
    return { process: record.process ?? '', epoch: record.epoch ?? '' };
  };
  switch (made.kind) {
    case 'append': {
      const appends = made.appends.map(({ first, log: at, most, numbered: origins, texts: messages }) => ({
        log: logs[at]!,
        first,
        batches: batchesOf(messages, most),
        origins: origins.slice(0, messages.length),
      }));
      return (store) => store.append(appends, made.options);
    }
    case 'acknowledge': {
      const calls = made.calls.map((call) => {
        const address = logs[call.log]!;
        const batches = [...new Set(idsAt(address, call.places))].map((id, i) => {
          const { bytes = 4, lines = [''] } = memory.streamOf(address)?.get(id) ?? {};
          const mask = lines.map((_, line) => (call.masks[i]![line] === true ? '1' : '0'));
          return { id, bytes, news: mask.filter((bit) => bit === '1').length, mask: mask.join('') };
        });
        return { log: address, ...(call.caller ?? ownerOf(address)), number: call.number, batches };
      });
      return (store) => store.acknowledge(calls);
    }
    case 'deadLetter': {
      const address = logs[made.log]!;
      const letter = {
        log: address,
        ...(made.caller ?? ownerOf(address)),
        id: idsAt(address, [made.place])[0]!,
        place: made.line,
        fields: { error: made.error, attempts: '4' },
        most: made.most,
      };
      return (store) => store.deadLetter(letter);
    }
    case 'grant': {
      const grants = made.grants.map(({ action, epoch: next, expected, log: at, to }): Grant => ({
        log: logs[at]!,
        action,
        process: to,
        epoch: action === 'keep' ? '' : next,
        expected: expected ?? ownerOf(logs[at]!).epoch,
      }));
      return (store) => store.grant(made.term, grants);
    }
    case 'release': {
      const address = logs[made.log]!;
      const by = made.caller ?? ownerOf(address);
      return (store) => store.release(address, by.process, by.epoch, made.rest);
    }
    case 'seal': {
      const sealed = made.logs.map((at) => logs[at]!);
      return (store) => store.seal(made.term, sealed);
    }
    case 'fetch': {
      const address = logs[made.log]!;
      const ids = idsAt(address, made.places);
      const places = ids.map((id, i) => ({ id, place: i % 3 }));
      return async (store) => [await store.fetch(address, places), await store.masks(address, ids)];
    }
    case 'read': {
      const cursors = logs.map((address, i) => ({
        log: address,
        cursor: idsAt(address, [made.places[i]!])[0]!,
        epoch: '',
      }));
      // Redis ends a blocking read late.
      if ([...memory.read(cursors, 1).values()].every(({ entries }) => entries.length === 0))
        return () => Promise.resolve();
      return async (store) => Object.fromEntries(await store.read(cursors, made.count, 1));
    }
    case 'records':
      return (store) => store.records(logs);
    case 'claims':
      return (store) => store.claims(logs);
    case 'expel': {
      const address = logs[made.log]!;
      const [claim] = memory.claims([address]);
      const seen = made.recent ? claim! : { lastId: '1-1', recordTerm: '1' };
      const { most, settled, term: ofMaster } = made;
      const expulsion = { log: address, term: ofMaster, claim: seen, settled, fields: { error: 'x' }, most };
      return (store) => store.expel(expulsion);
    }
  }
}

function batchesOf(messages: readonly string[], most: number): LogBatch[] {
  const batches: LogBatch[] = [];
  for (let from = 0; from < messages.length; from += most) {
    const some = messages.slice(from, from + most);
    batches.push({ count: some.length, text: some.join('\n') });
  }
  return batches;
}

async function dump(redis: Redis, { letters, record, stream }: LogAddress): Promise<LogDump> {
  const [entries, exists, fields, deadLettered, ...lifetimes] = await Promise.all([
    redis.xrange(stream, '-', '+'),
    redis.exists(stream),
    redis.hgetall(record),
    redis.xrange(letters, '-', '+'),
    redis.pttl(stream),
    redis.pttl(record),
  ]);
  const info = exists === 1 ? ((await redis.xinfo('STREAM', stream)) as unknown[]) : [];
  return {
    entries,
    lastId: exists === 1 ? String(info[info.indexOf('last-generated-id') + 1]) : '',
    record: fields,
    letters: deadLettered.map(([, flat]) => flat),
    expiring: [stream, record].filter((_, i) => lifetimes[i]! > 0),
  };
}

const steps = fc.array(step, { minLength: 1, maxLength: 40 });

const servers = [env.REDIS_URL!, env.REDIS8_URL ?? []].flat();

const TIMEOUT = 120_000;

/** The model of delivery rests on the server in memory. */
const ROOMY: AppendOptions = {
  term: 1,
  maxBacklogEntries: 10_000,
  maxBacklogBytes: 1_000_000,
  overflow: 'drop-oldest',
  acceptance: null,
  over: false,
};

describe.each(servers)('the log store (%s)', (url) => {
  let redis: Redis;
  let source: RedisLogSource;

  beforeAll(async () => {
    redis = openPatientRedis(url);
    source = new RedisLogSource(url, 'log-store-spec', 1);
    await once(redis, 'ready');
  });
  afterAll(() => {
    source.close();
    closeRedis(redis);
  });

  const open = (isCluster: boolean) => {
    const keys = deliveryKeys(`{${randomUUID()}}:`);
    const logs = [partitionLog(keys, 0), partitionLog(keys, 1), listenerLog(keys, 'p')];
    const memory = new MemoryLogServer();
    const store = new RedisLogStore({ redis, isCluster, close: () => undefined }, keys.partitionsChanged);
    const real: Store = Object.assign(store, { read: source.read.bind(source) });
    return { logs, memory, real };
  };

  it(
    'answers and ends as the server in memory does, whatever is called',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.boolean(), steps, async (isCluster, made) => {
          const { logs, memory, real } = open(isCluster);
          const inMemory = memoryLogStore(memory);
          for (const each of made) {
            const call = callOf(each, { logs, memory });
            const expected = await call(inMemory);
            expect(await call(real)).toEqual(expected);
          }
          for (const address of logs) expect(await dump(redis, address)).toEqual(memory.dump(address));
        }),
        { numRuns: 300 },
      );
    },
    TIMEOUT,
  );

  it('keeps the numbers of at most about 10,000 subscriptions in a record, and its other fields', async () => {
    const { logs, real } = open(false);
    const log = logs[0]!;
    const options: AppendOptions = { ...ROOMY, maxBacklogEntries: 100_000 };
    const append = (first: number, count: number) => {
      const numbers = Array.from({ length: count }, (_, i) => first + i);
      const origins = numbers.map((n) => `bootA123-${n} d;${n}`);
      return real.append([{ log, first, batches: batchesOf(numbers.map(String), 32), origins }], options);
    };
    for (let first = 1; first < 12_000; first += 500) await append(first, 500);
    expect(await redis.hlen(log.record)).toBeLessThanOrEqual(10_500);
    expect(await redis.hget(log.record, 'sent:d;12000')).toBe('bootA123-12000');
    expect(Number(await redis.hget(log.record, 'bytes'))).toBeGreaterThan(0);
  });

  it('appends detections of 4,096 subscriptions in one call, as many as a call with `fsync` has', async () => {
    const { logs, memory, real } = open(false);
    const log = logs[0]!;
    const texts = Array.from({ length: 4_096 }, (_, i) => `message ${i}`);
    const origins = texts.map((_, i) => `bootA123-${i} d;${i}`);
    for (const store of [real, memoryLogStore(memory)]) {
      const [result] = await store.append([{ log, first: 1, batches: batchesOf(texts, 32), origins }], ROOMY);
      expect(result).toMatchObject({ code: 'done', accepted: 4_096, present: 0, detections: 4_096 });
    }
    expect(await dump(redis, log)).toEqual(memory.dump(log));
  });

  it('keeps the number of a worker that has started again when a late copy of an earlier call arrives', async () => {
    const { logs, memory, real } = open(false);
    const log = logs[0]!;
    const options: AppendOptions = {
      ...ROOMY,
      maxBacklogEntries: 10,
      maxBacklogBytes: 1_000,
      overflow: 'refuse-new',
    };
    const before = { log, first: 1, batches: [{ count: 1, text: 'before' }], origins: ['bootA123-7 d;c'] };
    const after = { log, first: 2, batches: [{ count: 1, text: 'after' }], origins: ['bootB123-1 d;c'] };
    for (const store of [real, memoryLogStore(memory)]) {
      for (const call of [before, after, before]) await store.append([call], options);
      const [again] = await store.append([{ ...after, first: 3 }], { ...options, term: 2 });
      expect(again).toMatchObject({ code: 'done', accepted: 1, present: 1, detections: 2 });
    }
    expect(await dump(redis, log)).toEqual(memory.dump(log));
  });

  it('counts and notes nothing of a batch that Redis has lost', async () => {
    const { logs, memory, real } = open(false);
    const log = logs[2]!;
    const lose = [() => redis.del(log.stream, log.record), () => memory.loseEverything()];
    for (const [i, store] of [real, memoryLogStore(memory)].entries()) {
      const appended = {
        log,
        first: 1,
        batches: batchesOf(['a', 'b', 'c', 'd'], 2),
        origins: ['', '', '', ''],
      };
      await store.append([appended], ROOMY);
      await lose[i]!();
      for (const number of [1, 2]) {
        const batches = [{ id: `1-${2 * number - 1}`, bytes: 3, news: 1, mask: '10' }];
        await store.acknowledge([{ log, process: '', epoch: '', number, batches }]);
      }
    }
    expect((await dump(redis, log)).record).toEqual({ acknowledged: '2', bytes: '0', detections: '0' });
    expect(await dump(redis, log)).toEqual(memory.dump(log));
  });

  it('drops about 5,000 detections at most in one call, as the server in memory does', async () => {
    const { logs, memory, real } = open(false);
    const address = logs[0]!;
    const options = ROOMY;
    const many = {
      log: address,
      first: 1,
      batches: batchesOf(
        Array.from({ length: 6_000 }, (_, i) => `message ${i}`),
        3,
      ),
      origins: Array.from({ length: 6_000 }, () => ''),
    };
    const one = { log: address, first: 6_001, batches: [{ count: 1, text: 'last' }], origins: [''] };
    for (const store of [real, memoryLogStore(memory)]) {
      await store.append([many], options);
      const [{ dropped, detections } = {}] = await store.append([one], { ...options, maxBacklogEntries: 10 });
      expect({ dropped, detections }).toEqual({ dropped: 5_001, detections: 1_000 });
    }
    expect(await dump(redis, address)).toEqual(memory.dump(address));
  });
});
