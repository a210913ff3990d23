import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimulatedWorld, subscription } from './simulated-world.fixture.js';

const IDS = ['d1;c1', 'd2;c1', 'd3;c2', 'd4;c3'];

function world(ids: readonly string[] = ['d1;c1']): SimulatedWorld {
  const w = new SimulatedWorld();
  for (const url of ['ws://a', 'ws://b']) w.addWorker(url);
  w.want(...ids.map((id) => subscription(id)));
  w.run(20_000);
  expect(w.outdated).toEqual([]);
  return w;
}

/** Changes an address, which no report shows. */
function change(w: SimulatedWorld, ids: readonly string[], rtspUrl: string): void {
  w.want(
    ...[...w.desired.values()].map(({ spec }) =>
      ids.includes(spec.subscriptionIdentifier) ? { ...spec, rtspUrl } : spec,
    ),
  );
}

const status = (w: SimulatedWorld, id = 'd1;c1') => w.statuses()[id];

describe('a changed subscription', () => {
  it('is resent when the connection breaks before the worker has provably read it', () => {
    const w = world();
    const url = w.places()['d1;c1']!;
    change(w, ['d1;c1'], 'rtsp://cameras/new');
    w.pass();
    w.reconnect(url);
    w.pass();
    expect(w.outdated).toEqual(['d1;c1']);
    expect(status(w)).toBe('recovering/awaiting-report');
    w.run(4_000);
    expect(w.outdated).toEqual([]);
    expect(status(w)).toBe('active/streaming');
  });

  it('is not confirmed by a report that was in flight when it was sent', () => {
    const w = world();
    const worker = w.workers.get(w.places()['d1;c1']!)!;
    worker.late = true;
    change(w, ['d1;c1'], 'rtsp://cameras/new');
    w.pass();
    w.run(2_000);
    expect(status(w)).toBe('recovering/awaiting-report');
    w.run(2_000);
    expect(status(w)).toBe('active/streaming');
    expect(w.outdated).toEqual([]);
  });

  it('is resent by the successor when a master dies between storing and sending it', () => {
    const w = world();
    const url = w.places()['d1;c1']!;
    change(w, ['d1;c1'], 'rtsp://cameras/new');
    w.pass();
    w.failOver();
    w.workers.get(url)!.late = true;
    w.run(2_000);
    expect(w.sent).toMatchObject([{ type: 'subscribe', workerUrl: url }]);
    w.run(4_000);
    expect(w.outdated).toEqual([]);
    expect(w.sent).toHaveLength(1);
  });

  it('is confirmed by the fingerprint in the report, without another command, under any master', () => {
    const w = world();
    const worker = w.workers.get(w.places()['d1;c1']!)!;
    worker.echoes = true;
    change(w, ['d1;c1'], 'rtsp://cameras/new');
    w.pass();
    w.run(2_000);
    expect(status(w)).toBe('active/streaming');
    w.tracked = new Map();
    w.failOver();
    w.run(10_000);
    expect(w.sent).toEqual([]);
    expect(status(w)).toBe('active/streaming');
    // The worker silently lost the change; its fingerprint shows that.
    worker.streams.set('d1;c1', { online: true, modelId: 1, fingerprint: 'of an older one' });
    w.run(4_000);
    expect(w.sent).toHaveLength(1);
    expect(status(w)).toBe('active/streaming');
  });

  it('moves to another worker when one always drops the connection on it', () => {
    const w = world();
    const url = w.places()['d1;c1']!;
    change(w, ['d1;c1'], 'rtsp://cameras/new');
    for (let i = 0; i < 10 && w.places()['d1;c1'] === url; i++) {
      w.pass();
      w.reconnect(url);
      w.now += 1_000;
    }
    w.run(20_000);
    expect(w.places()['d1;c1']).not.toBe(url);
    expect(w.outdated).toEqual([]);
  });

  it('is active only when its worker has it, whatever fails, and finally reaches the worker', () => {
    const event = fc.oneof(
      fc.record({ type: fc.constant('change' as const), id: fc.constantFrom(...IDS), to: fc.nat(3) }),
      fc.record({
        type: fc.constantFrom('reconnect', 'late', 'restart', 'upgrade'),
        url: fc.constantFrom('ws://a', 'ws://b'),
      }),
      fc.record({ type: fc.constantFrom('failOver', 'pass', 'report') }),
      fc.record({ type: fc.constant('drain'), url: fc.constantFrom('ws://a', 'ws://b') }),
    ) as fc.Arbitrary<{ type: string; id?: string; to?: number; url?: string }>;
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const w = world(IDS);
        const check = () => {
          const { outdated } = w;
          const statuses = w.statuses();
          for (const id of outdated) {
            const entry = w.desired.get(id)!;
            // A pass has seen the change.
            if (w.tracked.get(id)?.specHash !== entry.hash) continue;
            expect([id, statuses[id]]).not.toEqual([id, 'active/streaming']);
          }
        };
        for (const { type, id, to, url } of events) {
          const worker = w.workers.get(url ?? '');
          if (type === 'change') change(w, [id!], `rtsp://cameras/${to}`);
          else if (type === 'reconnect') w.reconnect(url!);
          else if (type === 'failOver') w.failOver();
          else if (type === 'pass') w.pass();
          else if (type === 'report') w.run(2_000);
          else if (type === 'upgrade') worker!.echoes = !worker!.echoes;
          else if (type === 'late') worker!.late = !worker!.late;
          else if (type === 'drain') {
            if (worker!.drainSince === undefined) worker!.drainSince = w.wallNow;
            else delete worker!.drainSince;
          } else {
            worker!.streams = new Map();
            worker!.specs.clear();
            worker!.reported = null;
            w.reconnect(url!);
          }
          if (type === 'pass' || type === 'report') check();
        }
        for (const worker of w.workers.values()) delete worker.drainSince;
        w.run(200_000);
        expect(w.outdated).toEqual([]);
        expect(new Set(Object.values(w.statuses()))).toEqual(new Set(['active/streaming']));
      }),
      { numRuns: 300 },
    );
  });
});
