import { describe, expect, it } from 'vitest';
import { SessionSender } from './session-sender.js';
import type { SessionStore } from './session-store.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function setUp(initial: Record<string, number | null>) {
  const stored = new Map(Object.entries(initial));
  const sent: string[] = [];
  const drops: (() => void)[] = [];
  let changes = 0;
  const store = {
    all: async () => new Map(stored),
    of: async (ids: readonly string[]) => new Map(ids.map((id) => [id, stored.get(id) ?? null])),
  } satisfies Pick<SessionStore, 'all' | 'of'>;
  const sender = new SessionSender({
    store: store as unknown as SessionStore,
    send: (worker, { payload }, onDropped) => {
      sent.push(`${worker} ${payload.displayIdentifier}=${payload.sessionId}`);
      drops.push(onDropped);
    },
    onChange: () => changes++,
    onError: (error) => {
      throw error;
    },
  });
  const sync = (...workers: [url: string, ...ids: string[]][]) =>
    sender.sync(workers.map(([url, ...ids]) => ({ url, current: true, reported: new Set(ids) })));
  return { stored, sent, drops, sender, sync, changes: () => changes };
}

describe('SessionSender', () => {
  it('sends each worker the sessions of its displays, once', async () => {
    const { sender, sync, sent } = setUp({ d1: 1, d2: null, d9: 9 });
    await sender.load();
    sync(['a', 'd1;c1', 'd1;c2', 'd2;c1'], ['b', 'd3;c1']);
    sync(['a', 'd1;c1', 'd1;c2', 'd2;c1'], ['b', 'd3;c1']);
    expect(sent).toEqual(['a d1=1', 'a d2=null']);
  });

  it('sends nothing to a worker that has not reported over its present connection', async () => {
    const { sender, sent } = setUp({ d1: 1 });
    await sender.load();
    sender.sync([{ url: 'a', current: false, reported: new Set(['d1;c1']) }]);
    expect(sent).toEqual([]);
  });

  it('follows changes, and asks for a new round when one has been read', async () => {
    const { sender, sync, sent, stored, changes } = setUp({ d1: 1 });
    await sender.load();
    sync(['a', 'd1;c1']);
    stored.set('d1', 2);
    sender.changed('d1');
    stored.set('d1', null);
    sender.changed('d1');
    await turn();
    expect(changes()).toBeGreaterThan(0);
    sync(['a', 'd1;c1']);
    expect(sent).toEqual(['a d1=1', 'a d1=null']);
  });

  it('sends again after each connection, each subscribe and each dropped command', async () => {
    const { sender, sync, sent, drops, changes } = setUp({ d1: 1 });
    await sender.load();
    sync(['a', 'd1;c1']);
    sender.reset('a');
    sync(['a', 'd1;c1']);
    sender.subscribed('a', 'd1;c1');
    sender.subscribed('b', 'd2;c1');
    expect(sent).toEqual(['a d1=1', 'a d1=1', 'a d1=1']);
    drops[2]!();
    expect(changes()).toBe(1);
    sync(['a', 'd1;c1']);
    expect(sent).toHaveLength(4);
  });

  it('forgets what it has sent for a display that the worker no longer shows', async () => {
    const { sender, sync, sent } = setUp({ d1: 1, d3: 3 });
    await sender.load();
    sync(['a', 'd1;c1', 'd2;c1']);
    sender.subscribed('a', 'd3;c1');
    sync(['a', 'd2;c1']);
    expect(sent).toEqual(['a d1=1', 'a d3=3']);
    // It has not shown the third display before.
    sync(['a', 'd1;c1', 'd3;c1']);
    expect(sent).toEqual(['a d1=1', 'a d3=3', 'a d1=1']);
  });

  it('forgets what it has sent to workers that are gone, and to no others', async () => {
    const { sender, sync, sent } = setUp({ d1: 1 });
    await sender.load();
    sync(['a', 'd1;c1'], ['b', 'd1;c1']);
    sender.keep(['b']);
    sync(['a', 'd1;c1'], ['b', 'd1;c1']);
    expect(sent).toEqual(['a d1=1', 'b d1=1', 'a d1=1']);
  });

  it('looks at all streams of a worker again only if they or the connection have changed', async () => {
    const { sender, sent, drops, stored } = setUp({ d1: 1 });
    await sender.load();
    let looks = 0;
    const streams = (...ids: string[]) => ({
      keys: () => {
        looks++;
        return ids;
      },
    });
    const sync = (reported: ReturnType<typeof streams>) => {
      looks = 0;
      sender.sync([{ url: 'a', current: true, reported }]);
      sender.sync([{ url: 'a', current: true, reported }]);
      return looks;
    };
    const one = streams('d1;c1');
    expect(sync(one)).toBe(1);
    expect(sync(one)).toBe(0);
    expect(sync(streams('d1;c1', 'd2;c1'))).toBe(1);
    expect(sync(one)).toBe(1);
    sender.reset('a');
    expect(sync(one)).toBe(1);
    drops[1]!();
    expect(sync(one)).toBe(1);
    sender.keep([]);
    expect(sync(one)).toBe(1);
    expect(sent).toEqual(Array(4).fill('a d1=1'));
    stored.set('d1', 2);
    sender.changed('d1');
    await turn();
    expect(sync(one)).toBe(0);
    expect(sent.at(-1)).toBe('a d1=2');
    stored.set('d1', 3);
    await sender.load();
    expect(sync(one)).toBe(0);
    expect(sent.at(-1)).toBe('a d1=3');
  });
});
