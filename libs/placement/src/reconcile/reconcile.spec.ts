import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import { reconcileSteps, type ReconcileInput } from './reconcile.js';
import { SimulatedWorld, subscription } from './simulated-world.fixture.js';

const reconcile = (input: ReconcileInput) => runToEnd(reconcileSteps(input));

function world(workers: string[], ids: string[]): SimulatedWorld {
  const simulated = new SimulatedWorld();
  for (const url of workers) simulated.addWorker(url);
  simulated.want(...ids.map((id) => subscription(id)));
  return simulated;
}

describe('reconcile', () => {
  it('can be interrupted at every yield, and decides the same', () => {
    const count = 20_000;
    const w = world(
      Array.from({ length: 40 }, (_, i) => `ws://${i}`),
      Array.from({ length: count }, (_, i) => `d${i};c${i}`),
    );
    for (const worker of w.workers.values()) worker.capacity = count;
    w.run(5_000);
    // Running streams are also checked for surplus.
    const { input } = w;
    const steps = reconcileSteps(input);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses++;
    expect(step.value).toEqual(reconcile(input));
    // Present placement, step, and surplus of each worker.
    expect(pauses).toBeGreaterThanOrEqual(2 * (count / 500) + 40);
  });

  it('keeps the same records for subscriptions that run as desired', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1', 'd2;c1', 'd3;c2']);
    w.run(20_000);
    const { input } = w;
    const next = reconcile({ ...input, now: input.now + 1, wallNow: input.wallNow + 1 });
    for (const [id, tracked] of next.tracked) {
      expect(tracked).toBe(input.tracked.get(id));
      expect(tracked).toMatchObject({ status: 'active', reason: 'streaming', confirmed: true });
    }
    expect(next.tracked.size).toBe(3);
  });

  it('sends each subscription once, keeps cameras together, and then does nothing', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1', 'd2;c1', 'd3;c2', 'd4;c3']);
    w.run(20_000);
    expect(w.sent).toHaveLength(4);
    expect(w.places()['d1;c1']).toBe(w.places()['d2;c1']);
    expect(new Set(Object.values(w.places())).size).toBe(2);
    expect(Object.values(w.statuses())).toEqual(Array(4).fill('active/streaming'));
    expect(w.pass().actions).toEqual([]);
  });

  it('leaves everything pending while there is no worker, and places it when one comes', () => {
    const w = world([], ['d1;c1']);
    w.pass();
    expect(w.statuses()).toEqual({ 'd1;c1': 'pending/no-worker' });
    w.addWorker('ws://a');
    w.run(4_000);
    expect(w.statuses()).toEqual({ 'd1;c1': 'active/streaming' });
  });

  it('sends nothing after a failover with an unchanged world', () => {
    const w = world(['ws://a', 'ws://b', 'ws://c'], ['d1;c1', 'd2;c1', 'd3;c2', 'd4;c3', 'd5;c4']);
    w.run(10_000);
    const before = w.places();
    w.failOver();
    for (const worker of w.workers.values()) Object.assign(worker, { state: 'Connecting', reportAt: null });
    w.settling = true;
    w.mayUnsubscribe = false;
    w.pass();
    w.workers.get('ws://a')!.state = 'Ready';
    w.run(2_000);
    for (const worker of w.workers.values()) worker.state = 'Ready';
    w.settling = false;
    w.mayUnsubscribe = true;
    w.run(20_000);
    expect(w.sent).toEqual([]);
    expect(w.places()).toEqual(before);
  });

  it('keeps the status that its predecessor wrote while it waits for first reports', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1', 'd2;c2']);
    w.run(10_000);
    const written = w.tracked;
    w.failOver();
    for (const worker of w.workers.values()) Object.assign(worker, { state: 'Connecting', reportAt: null });
    w.settling = true;
    w.run(4_000);
    expect(w.tracked).toEqual(written);
    w.settling = false;
    w.pass();
    expect(Object.values(w.statuses())).toEqual(Array(2).fill('recovering/worker-connecting'));
  });

  it('sends exactly the subscriptions that workers dropped while no master was connected', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1', 'd2;c2', 'd3;c3']);
    w.run(10_000);
    w.failOver();
    w.workers.get('ws://a')!.streams = new Map();
    const lost = Object.entries(w.places()).filter(([, url]) => url === 'ws://a');
    w.run(20_000);
    expect(
      w.sent.map(({ type, workerUrl, subscriptionIdentifier }) => [type, subscriptionIdentifier, workerUrl]),
    ).toEqual(lost.map(([id, url]) => ['subscribe', id, url]));
  });

  it('adopts streams of unknown origin and verifies them one at a time per worker', () => {
    const w = world(['ws://a'], ['d1;c1', 'd2;c2', 'd3;c3']);
    w.run(10_000);
    w.failOver();
    w.tracked = new Map();
    w.pass();
    expect(w.sent).toHaveLength(1);
    w.run(30_000);
    expect(w.sent).toHaveLength(3);
    expect(new Set(w.sent.map(({ at }) => at)).size).toBe(3);
    expect(Object.values(w.statuses())).toEqual(Array(3).fill('active/streaming'));
  });

  it('leaves a stream with redacted credentials where it runs, and sends it when they are known', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1', 'd2;c2']);
    w.run(10_000);
    const [known, places] = [w.desired, w.places()];
    w.failOver();
    w.mayUnsubscribe = false;
    w.desired = new Map([...known].map(([id, entry]) => [id, { ...entry, redacted: true }]));
    w.run(30_000);
    expect(w.sent).toEqual([]);
    expect(Object.values(w.statuses())).toEqual(Array(2).fill('active/streaming'));

    w.workers.get(places['d1;c1']!)!.state = 'Offline';
    w.run(30_000);
    expect(w.sent).toEqual([]);
    expect(w.statuses()).toEqual({
      'd1;c1': 'recovering/credentials-unavailable',
      'd2;c2': 'active/streaming',
    });

    w.desired = known;
    w.run(10_000);
    expect(w.sent.map(({ type, subscriptionIdentifier }) => [type, subscriptionIdentifier])).toEqual([
      ['subscribe', 'd1;c1'],
    ]);
    expect(w.statuses()['d1;c1']).toBe('active/streaming');
  });

  it('verifies no stream of unknown origin while its credentials are redacted', () => {
    const w = world(['ws://a'], ['d1;c1']);
    w.run(10_000);
    const known = w.desired;
    w.failOver();
    w.tracked = new Map();
    w.desired = new Map([...known].map(([id, entry]) => [id, { ...entry, redacted: true }]));
    w.run(20_000);
    expect(w.sent).toEqual([]);
    expect(w.statuses()).toEqual({ 'd1;c1': 'active/unverified' });
  });

  it('moves the subscriptions of an offline worker, and only those', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1', 'd2;c2', 'd3;c3', 'd4;c4']);
    w.run(10_000);
    const before = w.places();
    w.sent = [];
    w.workers.get('ws://a')!.state = 'Suspect';
    w.run(10_000);
    expect(w.sent).toEqual([]);
    w.workers.get('ws://a')!.state = 'Offline';
    w.run(10_000);
    const moved = Object.keys(before).filter((id) => before[id] === 'ws://a');
    expect(w.sent.map(({ subscriptionIdentifier }) => subscriptionIdentifier).sort()).toEqual(moved.sort());
    expect(new Set(Object.values(w.places()))).toEqual(new Set(['ws://b']));
  });

  it('stops a stream on a worker that came back only when it runs elsewhere', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1']);
    w.run(10_000);
    const first = w.places()['d1;c1']!;
    const other = first === 'ws://a' ? 'ws://b' : 'ws://a';
    w.workers.get(first)!.state = 'Offline';
    w.pass();
    expect(w.places()['d1;c1']).toBe(other);
    w.workers.get(first)!.state = 'Ready';
    w.sent = [];
    w.pass();
    expect(w.sent).toEqual([]);
    w.run(20_000);
    expect(w.sent.map(({ type, workerUrl }) => [type, workerUrl])).toEqual([['unsubscribe', first]]);
    expect(w.workers.get(first)!.streams.size).toBe(0);
  });

  it('tries another worker when one does not take a subscription within 10 s', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1']);
    for (const worker of w.workers.values()) worker.refuses.add('d1;c1');
    w.run(9_000, 500);
    const first = w.places()['d1;c1']!;
    expect(w.sent.map(({ at }) => Math.round((at - w.sent[0]!.at) / 500) * 500)).toEqual([0, 4_000, 7_000]);
    w.workers.get(first === 'ws://a' ? 'ws://b' : 'ws://a')!.refuses.clear();
    w.run(10_000, 500);
    expect(w.places()['d1;c1']).not.toBe(first);
    expect(w.statuses()).toEqual({ 'd1;c1': 'active/streaming' });
  });

  it('gives a refused camera to a worker at once when something else is desired of it', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1']);
    for (const worker of w.workers.values()) worker.refuses.add('d1;c1');
    w.run(25_000);
    expect(w.statuses()).toEqual({ 'd1;c1': 'failed/penalty' });
    for (const worker of w.workers.values()) worker.refuses.clear();
    w.want({ ...subscription('d1;c1'), modelVersion: 'former' });
    w.run(3_000);
    expect(w.statuses()).toEqual({ 'd1;c1': 'active/streaming' });
  });

  it('reports a failure when every worker refuses, and keeps retrying', () => {
    const w = world(['ws://a'], ['d1;c1']);
    w.workers.get('ws://a')!.refuses.add('d1;c1');
    w.run(12_000, 500);
    expect(w.statuses()).toEqual({ 'd1;c1': 'failed/penalty' });
    w.workers.get('ws://a')!.refuses.clear();
    w.run(80_000);
    expect(w.statuses()).toEqual({ 'd1;c1': 'active/streaming' });
  });

  it('does not migrate on a camera fault, but resends the stream at growing intervals', () => {
    const w = world(['ws://a', 'ws://b'], ['d1;c1']);
    w.run(10_000);
    const url = w.places()['d1;c1']!;
    const worker = w.workers.get(url)!;
    worker.offline.add('d1;c1');
    worker.streams.set('d1;c1', { online: false, modelId: 1, fingerprint: null });
    w.sent = [];
    w.pass();
    const offline = w.now;
    expect(w.statuses()).toEqual({ 'd1;c1': 'recovering/camera-offline' });
    w.run(600_000);
    expect(w.statuses()).toEqual({ 'd1;c1': 'recovering/camera-offline' });
    expect(w.sent.map(({ type, workerUrl }) => `${type} ${workerUrl}`)).toEqual(
      Array(4).fill(`subscribe ${url}`),
    );
    expect(w.sent.map(({ at }) => at - offline)).toEqual([30_000, 90_000, 210_000, 450_000]);
    worker.offline.clear();
    w.run(500_000);
    expect(w.statuses()).toEqual({ 'd1;c1': 'active/streaming' });
    expect(w.places()['d1;c1']).toBe(url);
  });

  it('subscribes again when the specification has changed', () => {
    const w = world(['ws://a'], ['d1;c1']);
    w.run(10_000);
    w.sent = [];
    w.want(subscription('d1;c1', 2));
    w.run(10_000);
    expect(w.sent.map(({ type }) => type)).toEqual(['subscribe']);
    expect(w.statuses()).toEqual({ 'd1;c1': 'active/streaming' });
  });

  it('stops nothing while the desired state is uncertain', () => {
    const w = world(['ws://a'], ['d1;c1']);
    w.run(10_000);
    w.sent = [];
    w.want();
    w.mayUnsubscribe = false;
    w.run(10_000);
    expect(w.sent).toEqual([]);
    w.mayUnsubscribe = true;
    w.run(10_000);
    expect(w.sent.map(({ type }) => type)).toEqual(['unsubscribe']);
  });

  it('converges from any state to the desired one, and then sends nothing', () => {
    const id = fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
      .map(([d, c]) => `d${d};c${c}`);
    const ids = fc.uniqueArray(id, { maxLength: 12 });
    const urls = ['ws://a', 'ws://b', 'ws://c'];
    const states = fc.constantFrom('Ready', 'Suspect', 'Offline', 'Connecting') as fc.Arbitrary<'Ready'>;
    const step = fc.record({
      want: fc.option(ids),
      worker: fc.constantFrom(...urls),
      state: fc.option(states),
      drop: fc.boolean(),
      failOver: fc.boolean(),
      ms: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(ids, fc.array(step, { maxLength: 12 }), (first, steps) => {
        const w = world(urls, first);
        for (const { want, worker, state, drop, failOver, ms } of steps) {
          if (want) w.want(...want.map((each) => subscription(each)));
          if (state) w.workers.get(worker)!.state = state;
          if (drop) w.workers.get(worker)!.streams = new Map();
          if (failOver) w.failOver();
          w.run(ms);
        }
        for (const worker of w.workers.values()) worker.state = 'Ready';
        w.run(60_000);
        w.sent = [];
        w.run(60_000);
        const running = [...w.workers].flatMap(([url, { streams }]) =>
          [...streams.keys()].map((s) => `${s}@${url}`),
        );
        const wanted = [...w.desired.keys()].map((s) => `${s}@${w.places()[s]}`);
        expect(running.sort()).toEqual(wanted.sort());
        expect(w.sent).toEqual([]);
        expect(new Set(Object.values(w.statuses()))).toEqual(
          new Set(w.desired.size > 0 ? ['active/streaming'] : []),
        );
      }),
      { numRuns: 200 },
    );
  });
});
