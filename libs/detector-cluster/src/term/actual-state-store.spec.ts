import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FencedStore, GuardedCommand } from '@detector-cluster/election/fence';
import type { TrackedSubscription } from '@detector-cluster/placement/internal';
import { clusterKeys } from '../shared/cluster-keys.js';
import { Commit } from '../shared/commit.js';
import { fromActual } from './actual-records-reader.js';
import { ActualStateStore, isoTimes, toActual } from './actual-state-store.js';

const time = fc.integer({ min: 1, max: 4_102_444_800_000 });
const record = fc.record({
  workerUrl: fc.webUrl(),
  specHash: fc.string(),
  holder: fc.string(),
  status: fc.constantFrom('active', 'pending', 'failed', 'recovering'),
  reason: fc.string(),
  since: time,
  assignedAt: fc.oneof(fc.constant(0), time),
});
const facts = fc.record({
  modelUrl: fc.webUrl(),
  lastSeen: fc.option(time),
  term: fc.nat(),
});

describe('the record of a running subscription', () => {
  it('restores the memory of the previous master, also when many records share their times', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(record, facts), { maxLength: 5 }), (all) => {
        const iso = isoTimes();
        // Each record twice: the second parse takes its times from the cache.
        for (const [memory, known] of [...all, ...all]) {
          const tracked: TrackedSubscription = {
            ...memory,
            sentAt: null,
            attempts: 0,
            offline: null,
            confirmed: memory.status === 'active',
          };
          const written = toActual('d;c', tracked, known, iso);
          expect(written).toEqual(toActual('d;c', tracked, known));
          const { lastSeen, modelUrl } = known;
          expect(fromActual(JSON.stringify(written))).toEqual({ tracked, lastSeen, modelUrl });
        }
      }),
    );
  });

  it('keeps no hash of parameters that no report has confirmed', () => {
    const memory = {
      workerUrl: 'ws://a',
      specHash: 'abc',
      holder: 'ws://a',
      status: 'recovering',
      reason: '',
    } as const;
    const tracked = {
      ...memory,
      since: 1,
      assignedAt: 1,
      sentAt: 5,
      attempts: 1,
      offline: null,
      confirmed: false,
    };
    const written = toActual('d;c', tracked, { modelUrl: '', lastSeen: null, term: 1 });
    expect(fromActual(JSON.stringify(written))).toMatchObject({
      tracked: { specHash: 'unconfirmed', sentAt: null, attempts: 0 },
    });
  });

  it.each(['', '{', 'null', '7', '{}', '{"assignedWorkerUrl":7}'])(
    'is skipped if it is unreadable: %s',
    (text) => {
      expect(fromActual(text)).toBeNull();
    },
  );
});

const state = (specHash: string): TrackedSubscription => ({
  workerUrl: 'ws://a',
  specHash,
  sentAt: null,
  attempts: 0,
  offline: null,
  confirmed: true,
  holder: 'ws://a',
  status: 'active',
  reason: '',
  since: 1,
  assignedAt: 1,
});

describe('the records of a pass over everything', () => {
  it('know no longer when a subscription was seen that has been removed', async () => {
    const written: string[] = [];
    const store = {
      term: 1,
      write: async (commands: readonly GuardedCommand[]) => {
        written.push(...commands.flat().map(String));
        return [];
      },
    } as unknown as FencedStore;
    const actual = new ActualStateStore(store, clusterKeys(''), () => null);
    await actual.commitSome(new Map([['d;c', state('hash')]]));
    const commit = new Commit(store);
    await actual.addTo(commit, new Map(), ['d;c']);
    await commit.write();
    // The worker's report shows the stream no longer.
    actual.seen(['d;c'], 1_000);
    await actual.commitSome(new Map([['d;c', state('hash')]]));
    const last = written.findLast((text) => text.startsWith('{'));
    expect(JSON.parse(last!)).toMatchObject({ subscriptionIdentifier: 'd;c', lastSeen: '' });
  });

  it('are what was decided last, also where a small pass has written some while they were compared', async () => {
    const keys = clusterKeys('');
    const records = new Map<string, string>();
    let fields = 0;
    const store = {
      term: 1,
      write: async (commands: readonly GuardedCommand[]) => {
        for (const [command, key, ...values] of commands.map((each) => each.map(String))) {
          if (key !== keys.actual) continue;
          if (command === 'HDEL') for (const id of values) records.delete(id);
          else for (let i = 0; i < values.length; i += 2) records.set(values[i]!, values[i + 1]!);
          fields += command === 'HDEL' ? values.length : values.length / 2;
        }
        return [];
      },
    } as unknown as FencedStore;
    const actual = new ActualStateStore(store, keys, () => null);
    const ids = Array.from({ length: 400 }, (_, n) => `d${n};c`);
    await actual.commitSome(new Map(ids.map((id) => [id, state('old')])));
    fields = 0;

    // The pass changes the first half, and removes the last one.
    const next = new Map(ids.slice(0, -1).map((id, n) => [id, state(n < 200 ? 'new' : 'old')]));
    const search = actual.differences(next);
    search.next();
    // One that it has compared, one that it has not, and one about which it decides otherwise.
    for (const id of ['d0;c', 'd150;c', 'd300;c', 'd301;c']) {
      const own = state('newest');
      await actual.commitSome(new Map([[id, own]]));
      if (id !== 'd301;c') next.set(id, own);
    }
    let step = search.next();
    while (step.done !== true) step = search.next();
    const commit = new Commit(store);
    const removed = await actual.addTo(commit, next, step.value.add('d301;c'));
    await commit.write();

    expect(removed).toEqual(['d399;c']);
    const hashes = [...records].map(([id, text]) => [
      id,
      (JSON.parse(text) as { specHash: string }).specHash,
    ]);
    expect(new Map(hashes as [string, string][])).toEqual(
      new Map([...next].map(([id, { specHash }]) => [id, specHash])),
    );
    // Four small ones, then 198 that have changed, the one of another opinion, and the removed one.
    expect(fields).toBe(4 + 198 + 1 + 1);
    expect(actual.tracked).toBe(next);
  });
});
