import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@detector-cluster/election/testing';
import { setImmediate as turn } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { clusterKeys } from '../../redis/cluster-keys.js';
import { Acknowledger } from './acknowledger.js';
import { consumerDefaults, type ConsumerOptions } from './consumer-options.js';
import { DetectionWindow } from './detection-window.js';
import type { RawEntry, StreamEntry } from './stream-entry.js';

const QUICK = 'd;quick';
const ASYNCHRONOUS = 'd;asynchronous';

const entryOf = (n: number, subscriptionIdentifier: string): RawEntry => {
  const data = { subscriptionIdentifier, data: { detection: { n } } };
  const message = { id: `${n}`, type: 'detection', for: 'owner', workerUrl: 'w', timestamp: '', data };
  return [Buffer.from(`1-${n + 1}`), [Buffer.from('message'), Buffer.from(JSON.stringify(message))]];
};

describe('DetectionWindow', () => {
  let stopping: AbortController;
  beforeEach(() => {
    stopping = new AbortController();
  });
  afterEach(() => stopping.abort());

  /** A window whose acknowledgements are confirmed, or not, some turns of the event loop after they were sent. */
  function windowOf(
    handle: (entry: StreamEntry, done: () => void) => Promise<void> | undefined,
    { confirms = true, options = {} as Partial<ConsumerOptions>, now = (): number => 0 } = {},
  ) {
    const answer = async () => {
      for (let i = 0; i < 3; i++) await turn();
      return confirms ? [0, 0, 0] : new Promise(() => undefined);
    };
    const all = { ...consumerDefaults, ...options };
    const acknowledger = new Acknowledger({
      redis: { evalsha: answer } as unknown as Redis,
      keys: clusterKeys(''),
      processId: 'a',
      options: all,
      onEvent: () => undefined,
      onConfirmed: (id) => window.forget(id),
    });
    stopping.signal.addEventListener('abort', () => acknowledger.close());
    const window: DetectionWindow = new DetectionWindow({
      options: all,
      acknowledger,
      onEvent: () => undefined,
      handle: (entry) => handle(entry, () => acknowledger.finished(entry.id)),
      fetch: () => Promise.reject(new Error('nothing is parked')),
      now,
      signal: stopping.signal,
    });
    return { acknowledger, window };
  }

  it('starts no callback while 64 are unconfirmed, and asks for no more than it needs', async () => {
    let handled = 0;
    const { acknowledger, window } = windowOf(
      (_entry, done) => {
        handled++;
        done();
        return undefined;
      },
      { confirms: false },
    );
    expect(window.room()).toBe(1_000);
    window.accept(Array.from({ length: 256 }, (_, n) => entryOf(n, QUICK)));
    for (let i = 0; i < 20; i++) await turn();
    expect([handled, acknowledger.unconfirmed, window.size]).toEqual([64, 64, 256]);
    expect(window.room()).toBe(744);
    window.accept(Array.from({ length: 64 }, (_, n) => entryOf(256 + n, QUICK)));
    // What waits here is enough to go on with.
    expect(window.room()).toBe(0);
  });

  it('lets a subscription with asynchronous callbacks keep up with one whose callbacks return at once', async () => {
    const handled: string[] = [];
    const { window } = windowOf((entry, done) => {
      const finish = () => {
        handled.push(entry.detection.subscriptionIdentifier);
        done();
      };
      if (entry.detection.subscriptionIdentifier === QUICK) {
        finish();
        return undefined;
      }
      return turn().then(finish);
    });
    window.accept(Array.from({ length: 1_000 }, (_, n) => entryOf(n, n % 100 < 2 ? ASYNCHRONOUS : QUICK)));
    await eventually('all of them', 10_000, () => handled.length === 1_000);
    const places = handled.flatMap((key, i) => (key === ASYNCHRONOUS ? [i] : []));
    expect(places).toHaveLength(20);
    // The tenth came as the 402nd.
    expect(places[9]).toBeLessThan(700);
  });

  it('leaves in Redis no more than it may, also of what it has read and not looked at', async () => {
    let now = 0;
    const { window } = windowOf(() => new Promise(() => undefined), {
      options: { windowPerSubscription: 4, maxParked: 10, slowAfter: 5 },
      now: () => now,
    });
    window.accept(Array.from({ length: 11 }, (_, n) => entryOf(n, ASYNCHRONOUS)));
    // One runs, four are queued, six wait for a place.
    expect([window.running, window.size, window.parked, window.room()]).toEqual([1, 11, 0, 4]);
    now += 10;
    await eventually('the others left in Redis', 10_000, () => window.parked > 0);
    expect([window.running, window.size, window.parked, window.room()]).toEqual([1, 5, 6, 4]);
  });
});
