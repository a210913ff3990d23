import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '@detector-cluster/election/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryFeed, MemoryRecord } from '../test-support/memory-feed.js';
import type { LeaderFeedOptions } from './leader-feed-options.js';

/** Lets virtual time pass and runs everything that becomes due. */
async function passTime(clock: VirtualClock, duration: number, stride = 25): Promise<void> {
  for (let passed = 0; passed < duration; passed += stride) {
    clock.advance(Math.min(stride, duration - passed));
    await setImmediate();
  }
}

/** Resolves with the arguments of a callback. */
const outcome = (call: (callback: (...results: unknown[]) => void) => Promise<unknown>) =>
  new Promise<unknown[]>((resolve) => void call((...results) => resolve(results)).catch(() => undefined));

describe('BaseLeaderFeed, extended for a store of its own', () => {
  let clock: VirtualClock;
  let record: MemoryRecord;
  let feeds: MemoryFeed[];
  let events: string[];

  const make = (id: string, options: LeaderFeedOptions = {}) => {
    // Later ones wait longer, so that tests know who is elected.
    const random = () => Math.min(0.99, feeds.length / 10);
    const feed = new MemoryFeed(record, { id, clock, random: random.bind(undefined), ...options });
    feed.on('new state', (state) => events.push(`${id} ${state}`));
    feed.on('new leader', (leader) => events.push(`${id} knows ${leader}`));
    feed.on('subscribe started', () => events.push(`${id} subscribed`));
    feed.on('subscribe error', ({ message }) => events.push(`${id} subscribe error: ${message}`));
    feed.on('heartbeat error', ({ message }) => events.push(`${id} heartbeat error: ${message}`));
    feeds.push(feed);
    return feed;
  };
  const join = async (id: string) => {
    const share = feeds.length / 10;
    return make(id, { random: () => share }).start();
  };
  const leaders = () => feeds.filter(({ isLeader }) => isLeader).map(({ id }) => id);

  beforeEach(() => {
    clock = new VirtualClock(1_000);
    record = new MemoryRecord();
    feeds = [];
    events = [];
  });

  afterEach(async () => {
    const running = feeds.filter(({ status }) => status !== 'stopped');
    const stopped = Promise.all(running.map((feed) => feed.stop()));
    await passTime(clock, 5_000, 500);
    await stopped;
    expect(clock.pending).toBe(0);
    expect(record.feed.listenerCount('record')).toBe(0);
  });

  it('starts as a follower, and elects itself after its election timeout', async () => {
    const feed = make('a', { random: () => 0.5 });
    expect([feed.status, feed.state, feed.isLeader, feed.leader]).toEqual([
      'stopped',
      'follower',
      false,
      null,
    ]);
    await feed.start();
    expect([feed.status, feed.state]).toEqual(['started', 'follower']);
    await passTime(clock, 2_999);
    expect(feed.state).toBe('follower');
    await passTime(clock, 1);
    expect([feed.state, feed.isLeader, feed.leader]).toEqual(['leader', true, 'a']);
    expect(events).toEqual(['a subscribed', 'a leader', 'a knows a']);
  });

  it('follows a leader while its heartbeats arrive', async () => {
    const a = await join('a');
    const b = await join('b');
    await passTime(clock, 60_000, 100);
    expect(leaders()).toEqual(['a']);
    expect([a.leader, b.leader]).toEqual(['a', 'a']);
    expect(a.calls.filter((call) => call === 'heartbeat').length).toBeGreaterThan(55);
  });

  it('replaces a leader whose heartbeats stop', async () => {
    const a = await join('a');
    const b = await join('b');
    await passTime(clock, 4_000);
    a.faults.heartbeat = () => undefined;
    await passTime(clock, 4_000);
    expect(leaders()).toEqual(['b']);
    expect(a.leader).toBe('b');
    expect(b.leader).toBe('b');
  });

  it('informs the others at once when the leader stops', async () => {
    const a = await join('a');
    const b = await join('b');
    await passTime(clock, 4_000);
    await a.stop();
    expect([a.status, a.state, a.leader]).toEqual(['stopped', 'follower', null]);
    await passTime(clock, 500);
    expect(b.isLeader).toBe(true);
  });

  it.each(['the leader', 'the node itself', 'a third node'])(
    'moves leadership when %s asks, and it stays',
    async (who) => {
      const [a, b, c] = [await join('a'), await join('b'), await join('c')];
      await passTime(clock, 4_000);
      const asking = { 'the leader': a, 'the node itself': c, 'a third node': b }[who]!;
      await asking.elect('c');
      for (let second = 0; second < 20; second++) {
        await passTime(clock, 1_000);
        expect(leaders()).toEqual(['c']);
      }
      expect([a.leader, b.leader, c.leader]).toEqual(['c', 'c', 'c']);
    },
  );

  it('moves leadership to another node and back at once', async () => {
    const [a, b] = [await join('a'), await join('b')];
    await passTime(clock, 4_000);
    await a.elect('b');
    await setImmediate();
    await b.elect('a');
    await passTime(clock, 10_000);
    expect(leaders()).toEqual(['a']);
  });

  it('elects another node when the chosen node is dead', async () => {
    const a = await join('a');
    await join('b');
    await passTime(clock, 4_000);
    await a.elect('absent');
    await setImmediate();
    expect(leaders()).toEqual([]);
    await passTime(clock, 5_000);
    expect(leaders()).toHaveLength(1);
  });

  it('lets two nodes lead until each has heard from the other', async () => {
    const under: (() => void)[] = [];
    record = new MemoryRecord((tell) => under.push(tell));
    const same = { random: () => 0 };
    const [a, b] = [make('a', same), make('b', same)];
    await Promise.all([a.start(), b.start()]);
    await passTime(clock, 2_000);
    expect(leaders()).toEqual(['a', 'b']);
    for (let tell = under.shift(); tell; tell = under.shift()) {
      tell();
      await setImmediate();
    }
    expect(leaders().length).toBeLessThan(2);
  });

  it('becomes a follower when a heartbeat fails, and tries again', async () => {
    const a = await join('a');
    await passTime(clock, 2_000);
    events = [];
    a.faults.heartbeat = (done) => done(new Error('full'));
    await passTime(clock, 1_000);
    expect(events).toEqual(['a heartbeat error: full', 'a follower']);
    delete a.faults.heartbeat;
    await passTime(clock, 4_000);
    expect(a.isLeader).toBe(true);
  });

  it('becomes a follower when heartbeats stay unanswered for too long', async () => {
    const a = await join('a');
    await passTime(clock, 2_000);
    events = [];
    a.faults.heartbeat = () => undefined;
    await passTime(clock, 4_000);
    expect(events.slice(0, 2)).toEqual([
      'a heartbeat error: no heartbeat reached the store for 2000 ms',
      'a follower',
    ]);
  });

  it('becomes a follower when the subscription breaks, elects no node without one, and subscribes again', async () => {
    const a = await join('a');
    await passTime(clock, 2_000);
    events = [];
    a.faults.subscribe = (done) => done(new Error('away'));
    a.emit('subscribe error', new Error('cut'));
    await passTime(clock, 20_000, 100);
    expect(events.slice(0, 3)).toEqual(['a follower', 'a subscribe error: cut', 'a subscribe error: away']);
    expect(a.isLeader).toBe(false);
    events = [];
    delete a.faults.subscribe;
    await passTime(clock, 8_000);
    expect(events).toEqual(['a subscribed', 'a leader', 'a knows a']);
    expect(record.feed.listenerCount('record')).toBe(1);
  });

  it('after a freeze, does not elect itself before it has read the pending heartbeats', async () => {
    await join('a');
    const b = await join('b');
    await passTime(clock, 4_000);
    clock.freeze(10_000);
    clock.advance(0);
    await setImmediate();
    expect(b.calls).not.toContain('elect');
    await passTime(clock, 10_000);
    expect(b.calls).not.toContain('elect');
  });

  it('emits other records as change, and survives listeners that throw', async () => {
    const a = await join('a');
    const heard = vi.fn();
    a.on('change', heard);
    a.on('new state', () => {
      throw new Error('broken listener');
    });
    const errors = vi.fn();
    a.on('error', errors);
    a.emit('change', { row: 1 });
    expect(heard).toHaveBeenCalledWith({ row: 1 });
    await passTime(clock, 4_000);
    expect(a.isLeader).toBe(true);
    expect(errors).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringContaining('broken listener') }),
    );
    await passTime(clock, 4_000);
    expect(a.calls.filter((call) => call === 'heartbeat').length).toBeGreaterThan(3);
  });

  describe('an overridden method that fails', () => {
    const failures: [string, (done: (error?: unknown) => void) => unknown][] = [
      [
        'throws',
        () => {
          throw new Error('no');
        },
      ],
      ['calls back with an error', (done) => done(new Error('no'))],
      ['rejects', () => Promise.reject(new Error('no'))],
      [
        'throws something else',
        () => {
          throw 'no' as never;
        },
      ],
    ];

    it.each(failures)(
      'at the start, when it %s, fails the start; the feed can be started again',
      async (_how, fault) => {
        for (const method of ['start', 'create', 'subscribe'] as const) {
          const feed = make(`${feeds.length}`);
          feed.faults[method] = fault;
          await expect(feed.start()).rejects.toThrow('no');
          expect(feed.status).toBe('stopped');
          expect(clock.pending).toBe(0);
          delete feed.faults[method];
          await feed.start();
          expect(feed.status).toBe('started');
          await feed.stop();
        }
      },
    );

    it.each(failures)('while the node leads, when it %s, causes a heartbeat error', async (_how, fault) => {
      const a = await join('a');
      await passTime(clock, 2_000);
      events = [];
      a.faults.heartbeat = fault;
      await passTime(clock, 1_000);
      expect(events).toEqual(['a heartbeat error: no', 'a follower']);
    });

    it.each(failures)('when it %s, rejects elect', async (_how, fault) => {
      const a = await join('a');
      a.faults.elect = fault;
      await expect(a.elect()).rejects.toThrow('no');
      await passTime(clock, 4_000);
      expect(events).toContain('a heartbeat error: no');
    });

    it.each(failures)('when it %s, does not keep the feed from stopping', async (_how, fault) => {
      const a = await join('a');
      await passTime(clock, 2_000);
      a.faults.elect = fault;
      await a.stop();
      expect(a.status).toBe('stopped');
    });
  });

  it('goes through all states of its life cycle, twice', async () => {
    const a = make('a');
    const starting = a.start();
    expect(a.status).toBe('starting');
    await expect(starting).resolves.toBe(a);
    const stopping = a.stop();
    expect(a.status).toBe('stopping');
    await a.start();
    await stopping;
    expect(a.status).toBe('started');
    await a.stop();
    expect(a.status).toBe('stopped');
    expect(a.calls.filter((call) => call === 'start')).toHaveLength(2);
  });

  it('rejects calls that are invalid in its state, by callback and by promise', async () => {
    const a = make('a');
    const refuses = async (method: 'start' | 'stop', message: string) => {
      const call = (callback?: never) => (method === 'start' ? a.start({}, callback) : a.stop(callback));
      const refused = call();
      const [error] = await outcome((callback) => call(callback as never));
      expect((error as Error).message).toBe(message);
      await expect(refused).rejects.toThrow(message);
    };
    await refuses('stop', 'leaderfeed is already stopped');
    const starting = a.start();
    await refuses('start', 'leaderfeed is currently starting');
    await starting;
    await refuses('start', 'leaderfeed already started');
    expect(a.status).toBe('started');
    const stopping = a.stop();
    await refuses('stop', 'leaderfeed is currently stopping');
    await stopping;
    await refuses('stop', 'leaderfeed is already stopped');
  });

  it('can be stopped while it starts', async () => {
    const a = make('a');
    let go!: () => void;
    a.faults.create = (done) => {
      go = done;
    };
    const starting = a.start();
    await setImmediate();
    const stopping = a.stop();
    go();
    await expect(starting).rejects.toMatchObject({ code: 'FEED_STOPPED' });
    await stopping;
    expect(a.status).toBe('stopped');
    expect(a.calls).not.toContain('subscribe');
  });

  it('creates nothing when `createIfMissing` is false', async () => {
    const a = make('a', { createIfMissing: false });
    await a.start();
    expect(a.calls).toEqual(['start', 'subscribe']);
  });

  it('passes the same results to callbacks and promises', async () => {
    const a = make('a');
    expect(await outcome((callback) => a.start({}, callback as never))).toEqual([null, a]);
    expect(await outcome((callback) => a.elect(callback))).toEqual([null]);
    expect(a.isLeader).toBe(true);
    expect(await outcome((callback) => a.elect('b', callback))).toEqual([null]);
    expect(await outcome((callback) => a.stop(callback))).toEqual([null]);
    const [error] = await outcome((callback) => a.elect('b', callback));
    expect((error as Error).message).toBe('the feed is stopped: it can elect when start() has resolved');
    a.faults.start = (done) => done('no way');
    expect(await outcome((callback) => a.start({}, callback as never))).toEqual([new Error('no way')]);
  });

  it('refuses to elect an invalid id', async () => {
    const a = await join('a');
    await expect(a.elect('')).rejects.toThrow('elect: id must be the id of a node, not ""');
    await expect(a.elect(5 as never)).rejects.toThrow(TypeError);
  });
});
