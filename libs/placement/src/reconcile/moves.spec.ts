import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimulatedWorld, subscription } from './simulated-world.fixture.js';

function world(workers: string[], ids: string[]): SimulatedWorld {
  const simulated = new SimulatedWorld();
  for (const url of workers) simulated.addWorker(url);
  simulated.want(...ids.map((id) => subscription(id)));
  simulated.run(30_000);
  simulated.sent = [];
  return simulated;
}

const cameras = (count: number) => Array.from({ length: count }, (_, i) => `d${i};c${i}`);
const commands = (w: SimulatedWorld) =>
  w.sent.map(
    ({ type, subscriptionIdentifier, workerUrl }) => `${type} ${subscriptionIdentifier} ${workerUrl}`,
  );

/** Throws when a subscription runs nowhere or more than twice, or a worker exceeds its capacity. Avoids many slow `expect` calls. */
function assertServed(w: SimulatedWorld, ids: readonly string[], capacity: number): void {
  const running = w.running();
  for (const id of ids) {
    const count = running[id]?.length ?? 0;
    if (count < 1 || count > 2) throw new Error(`${id} runs ${count} times at ${w.now}`);
  }
  for (const [url, { streams }] of w.workers)
    if (streams.size > capacity) throw new Error(`${url} runs ${streams.size} at ${w.now}`);
}

/** One subscription on a worker that is being drained, and the other worker. */
function draining(): { w: SimulatedWorld; from: string; to: string } {
  const w = world(['ws://a', 'ws://b'], ['d1;c1']);
  const from = w.places()['d1;c1']!;
  w.workers.get(from)!.drainSince = w.wallNow;
  return { w, from, to: from === 'ws://a' ? 'ws://b' : 'ws://a' };
}

describe('reconcile: moves', () => {
  it('starts a stream on the new worker before it stops on the old one', () => {
    const { w, from, to } = draining();
    w.pass();
    expect(commands(w)).toEqual([`subscribe d1;c1 ${to}`]);
    expect(w.places()['d1;c1']).toBe(from);
    expect(w.statuses()['d1;c1']).toBe('active/streaming');
    w.run(2_000);
    expect(w.running()['d1;c1']!.sort()).toEqual(['ws://a', 'ws://b']);
    expect(commands(w)).toEqual([`subscribe d1;c1 ${to}`, `unsubscribe d1;c1 ${from}`]);
    expect(w.places()['d1;c1']).toBe(to);
    expect(w.tracked.get('d1;c1')!.holder).toBe(to);
    w.run(20_000);
    expect(w.running()['d1;c1']).toEqual([to]);
    expect(w.sent).toHaveLength(2);
    expect(w.ended.map(({ outcome }) => outcome)).toEqual(['finished']);
  });

  it('cuts over only when the new worker has a picture', () => {
    const { w, from, to } = draining();
    w.workers.get(to)!.offline.add('d1;c1');
    w.run(12_000);
    expect(w.places()['d1;c1']).toBe(from);
    expect(w.tracked.get('d1;c1')!.holder).toBe(from);
    w.workers.get(to)!.streams.set('d1;c1', { online: true, modelId: 1, fingerprint: null });
    w.pass();
    expect(w.places()['d1;c1']).toBe(to);
  });

  it('waits up to 5 min longer while the new worker loads the model, without a pass after the other', () => {
    const { w, from, to } = draining();
    w.workers.get(to)!.modelState = 'loading';
    w.run(120_000);
    expect(w.places()['d1;c1']).toBe(from);
    expect([w.ended, w.wakeAt! > w.now]).toEqual([[], true]);
    w.workers.get(to)!.streams.set('d1;c1', { online: true, modelId: 1, fingerprint: null });
    w.run(4_000);
    expect(w.places()['d1;c1']).toBe(to);
  });

  it('gives a move up at once when the new worker cannot load the model', () => {
    const { w, from, to } = draining();
    w.workers.get(to)!.modelState = 'failed';
    w.run(4_000);
    expect(w.ended.map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(w.places()['d1;c1']).toBe(from);
  });

  it('does not wait for the picture of a camera that gives none to any worker', () => {
    const { w, from, to } = draining();
    for (const worker of w.workers.values()) worker.offline.add('d1;c1');
    w.workers.get(from)!.streams.set('d1;c1', { online: false, modelId: 1, fingerprint: null });
    w.run(6_000);
    expect(w.running()['d1;c1']).toEqual([to]);
    expect(w.statuses()['d1;c1']).toBe('recovering/camera-offline');
  });

  it.each([
    ['that does not take the stream', 'refuses'],
    ['that gets no picture', 'offline'],
  ] as const)('stays where it is when the move is to a worker %s, and leaves that alone', (_what, fault) => {
    const { w, from, to } = draining();
    w.workers.get(to)![fault].add('d1;c1');
    w.run(20_000);
    expect(w.ended.map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(w.places()['d1;c1']).toBe(from);
    w.run(10_000);
    expect(w.running()['d1;c1']).toEqual([from]);
    w.sent = [];
    w.run(30_000);
    expect(w.sent).toEqual([]);
    w.workers.get(to)![fault].clear();
    w.run(120_000);
    expect(w.running()['d1;c1']).toEqual([to]);
  });

  it('continues the move of the previous master, and resends unconfirmed commands', () => {
    const { w, from, to } = draining();
    w.pass();
    w.failOver();
    w.run(6_000);
    expect(commands(w)).toEqual([`subscribe d1;c1 ${to}`, `unsubscribe d1;c1 ${from}`]);
    expect(w.running()['d1;c1']).toEqual([to]);
  });

  it('is an ordinary subscription of the new worker when the old one dies during the move', () => {
    const { w, from, to } = draining();
    w.pass();
    w.workers.get(from)!.state = 'Offline';
    w.pass();
    expect(w.tracked.get('d1;c1')!.holder).toBe(from);
    w.run(6_000);
    expect(commands(w)).toEqual([`subscribe d1;c1 ${to}`]);
    expect(w.ended.map(({ outcome }) => outcome)).toEqual(['taken-over']);
    expect(w.statuses()['d1;c1']).toBe('active/streaming');
    expect(w.tracked.get('d1;c1')!.holder).toBe(to);
  });

  it('is over at once when the worker is offline, and counts as begun and ended', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1']);
    const from = w.places()['d1;c1']!;
    w.workers.get(from)!.state = 'Offline';
    const { begun, ended } = w.pass();
    const to = w.places()['d1;c1'];
    expect(to).not.toBe(from);
    const move = expect.objectContaining({ unitId: 'c1', from, to, reason: 'worker-offline' });
    expect({ begun, ended }).toEqual({ begun: [move], ended: [{ move, outcome: 'taken-over' }] });
    expect(w.moves.size).toBe(0);
  });

  it('chooses another worker when the new one dies during the move', () => {
    const { w, from } = draining();
    const third = 'ws://c';
    w.addWorker(third);
    w.pass();
    const { to } = [...w.moves.values()][0]!;
    w.workers.get(to)!.state = 'Offline';
    w.run(10_000);
    const other = ['ws://a', 'ws://b', third].find((url) => url !== from && url !== to)!;
    expect(w.places()['d1;c1']).toBe(other);
    expect(w.ended.map(({ outcome }) => outcome)).toEqual(['aborted', 'finished']);
  });

  it('sends the new worker a specification that changes during the move', () => {
    const { w, from, to } = draining();
    w.pass();
    w.want(subscription('d1;c1', 2));
    w.run(10_000);
    expect(w.running()['d1;c1']).toEqual([to]);
    expect(w.workers.get(to)!.streams.get('d1;c1')!.modelId).toBe(2);
    expect(w.places()['d1;c1']).not.toBe(from);
  });

  it('ends when the camera is no longer desired', () => {
    const { w } = draining();
    w.pass();
    w.want();
    w.run(10_000);
    expect(w.running()).toEqual({});
    expect(w.moves.size).toBe(0);
    expect(w.ended.map(({ outcome }) => outcome)).toEqual(['not-desired']);
  });

  it('empties a draining worker a few units at a time, and gives it nothing', () => {
    const w = world(['ws://a', 'ws://b', 'ws://c'], cameras(30));
    w.workers.get('ws://a')!.drainSince = w.wallNow;
    const before = w.places();
    for (let i = 0; i < 20; i++) {
      w.run(2_000);
      expect(w.moves.size).toBeLessThanOrEqual(4);
      for (const [id, on] of Object.entries(w.running())) expect([id, on.length > 0]).toEqual([id, true]);
    }
    expect(w.workers.get('ws://a')!.streams.size).toBe(0);
    const moved = Object.keys(before).filter((id) => w.places()[id] !== before[id]);
    expect(moved.every((id) => before[id] === 'ws://a')).toBe(true);
    expect(w.sent.filter(({ workerUrl, type }) => workerUrl === 'ws://a' && type === 'subscribe')).toEqual(
      [],
    );
  });

  it('gives a cordoned worker nothing new and takes nothing from it', () => {
    const w = world(['ws://a', 'ws://b'], cameras(4));
    w.workers.get('ws://a')!.cordoned = true;
    const before = w.places();
    w.want(...cameras(8).map((id) => subscription(id)));
    w.run(60_000);
    for (const [id, url] of Object.entries(before)) expect(w.places()[id]).toBe(url);
    expect(w.sent.map(({ workerUrl }) => workerUrl)).toEqual(Array(4).fill('ws://b'));
  });

  it('balances the load on request, and automatically when a worker joins', () => {
    const w = world(['ws://a', 'ws://b'], cameras(20));
    w.addWorker('ws://c');
    w.rebalance = true;
    w.run(200_000);
    const count = w.workers.get('ws://c')!.streams.size;
    expect(count).toBeGreaterThanOrEqual(5);
    expect(count).toBeLessThanOrEqual(7);
    w.sent = [];
    w.run(600_000);
    expect(w.sent).toEqual([]);
  });

  it('stops a camera that allows one stream before it starts it elsewhere', () => {
    const { w, from, to } = draining();
    w.hint('d1;c1', { exclusive: true });
    w.pass();
    expect(commands(w)).toEqual([`unsubscribe d1;c1 ${from}`, `subscribe d1;c1 ${to}`]);
    w.run(4_000);
    expect(w.running()['d1;c1']).toEqual([to]);
    expect(w.statuses()['d1;c1']).toBe('active/streaming');
  });

  it('gives the room of the least important unit to the most important one, and returns it', () => {
    const w = world(['ws://a'], cameras(3));
    w.workers.get('ws://a')!.capacity = 3;
    w.want(...[...cameras(3), 'd9;c9'].map((id) => subscription(id)));
    for (const id of cameras(3).slice(1)) w.hint(id, { priority: 1 });
    w.hint('d9;c9', { priority: 5 });
    w.pass();
    expect(commands(w)).toEqual(['unsubscribe d0;c0 ws://a', 'subscribe d9;c9 ws://a']);
    w.run(10_000);
    expect(w.statuses()).toMatchObject({ 'd0;c0': 'recovering/capacity', 'd9;c9': 'active/streaming' });
    expect(w.sent).toHaveLength(2);
    w.want(...cameras(3).map((id) => subscription(id)));
    w.run(10_000);
    expect(Object.values(w.statuses())).toEqual(Array(3).fill('active/streaming'));
  });

  it('places a camera on a worker that carries its labels, and moves it when the worker loses them', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1']);
    const at = w.places()['d1;c1']!;
    const other = at === 'ws://a' ? 'ws://b' : 'ws://a';
    w.workers.get(other)!.labels = { zone: 'north' };
    w.hint('d1;c1', { selector: { zone: 'north' } });
    w.run(6_000);
    expect(commands(w)).toEqual([`subscribe d1;c1 ${other}`, `unsubscribe d1;c1 ${at}`]);
    delete w.workers.get(other)!.labels;
    w.run(4_000);
    expect(w.statuses()['d1;c1']).toBe('recovering/selector');
  });

  it('moves nothing while the cluster is frozen, even if workers seem to be offline', () => {
    const w = world(['ws://a', 'ws://b', 'ws://c'], cameras(9));
    const before = w.places();
    w.frozen = true;
    for (const url of ['ws://a', 'ws://b']) w.workers.get(url)!.state = 'Offline';
    w.run(30_000);
    expect(w.sent).toEqual([]);
    expect(w.places()).toEqual(before);
    w.frozen = false;
    w.run(4_000);
    expect(new Set(Object.values(w.places()))).toEqual(new Set(['ws://c']));
  });

  it('leaves the running streams on a quarantined worker, and moves those that it has lost', () => {
    const w = world(['ws://a', 'ws://b'], cameras(6));
    const flapping = w.workers.get('ws://a')!;
    const kept = [...flapping.streams.keys()].slice(1);
    const [lost] = [...flapping.streams.keys()] as [string];
    flapping.state = 'Quarantined';
    flapping.streams.delete(lost);
    w.run(10_000);
    expect([...flapping.streams.keys()].sort()).toEqual(kept.sort());
    expect(w.places()[lost]).toBe('ws://b');
    expect(commands(w)).toEqual([`subscribe ${lost} ws://b`]);
  });

  it('never stops a moving stream before it runs elsewhere, never exceeds a capacity, and settles', () => {
    const urls = ['ws://a', 'ws://b', 'ws://c', 'ws://d'];
    const step = fc.record({
      worker: fc.constantFrom(...urls),
      what: fc.constantFrom(
        'drain',
        'cordon',
        'open',
        'refuse',
        'offline',
        'fail-over',
        'rebalance',
        'nothing',
      ),
      ms: fc.integer({ min: 0, max: 30_000 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 }), fc.array(step, { maxLength: 10 }), (count, steps) => {
        const w = new SimulatedWorld();
        for (const url of urls) w.addWorker(url).capacity = 12;
        const ids = cameras(count);
        w.want(...ids.map((id) => subscription(id)));
        w.run(20_000);
        const passTime = (ms: number) => {
          for (let left = ms; left > 0; left -= 2_000) {
            w.run(2_000);
            assertServed(w, ids, 12);
          }
        };
        for (const { worker, what, ms } of steps) {
          const target = w.workers.get(worker)!;
          if (what === 'drain') target.drainSince = w.wallNow;
          if (what === 'cordon') target.cordoned = true;
          if (what === 'open') {
            delete target.drainSince;
            target.cordoned = false;
            target.refuses.clear();
            target.offline.clear();
          }
          if (what === 'refuse') for (const id of ids) if (!target.streams.has(id)) target.refuses.add(id);
          if (what === 'offline') for (const id of ids) if (!target.streams.has(id)) target.offline.add(id);
          if (what === 'fail-over') w.failOver();
          if (what === 'rebalance') w.rebalance = true;
          passTime(ms);
        }
        for (const target of w.workers.values()) {
          delete target.drainSince;
          target.cordoned = false;
          target.refuses.clear();
          target.offline.clear();
        }
        passTime(900_000);
        w.sent = [];
        w.run(60_000);
        expect(w.sent).toEqual([]);
        expect(w.moves.size).toBe(0);
        expect(Object.values(w.running()).map((on) => on.length)).toEqual(Array(count).fill(1));
      }),
      { numRuns: 30 },
    );
  });
});
