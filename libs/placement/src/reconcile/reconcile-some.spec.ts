import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { WorkerAction } from './observation.js';
import { reconcileSteps, type ReconcileInput } from './reconcile.js';
import { reconcileSome, type StreamChange } from './reconcile-some.js';
import { SimulatedWorld, subscription } from './simulated-world.fixture.js';
import { runToEnd } from '../model/in-chunks.js';

const reconcile = (input: ReconcileInput) => runToEnd(reconcileSteps(input));

const URLS = ['ws://a', 'ws://b', 'ws://c'];
const IDS = Array.from({ length: 9 }, (_, i) => `d${i};c${i % 6}`);

const id = fc.constantFrom(...IDS);
const url = fc.constantFrom(...URLS);
const fault = fc.oneof(
  fc.record({ type: fc.constant('refuse' as const), id, url }),
  fc.record({ type: fc.constant('offline' as const), id, url }),
  fc.record({ type: fc.constant('late' as const), url }),
  fc.record({ type: fc.constant('echo' as const), url }),
  fc.record({ type: fc.constant('forget' as const), id }),
  fc.record({ type: fc.constant('reconnect' as const), url }),
  fc.record({ type: fc.constant('fail-over' as const) }),
  fc.record({ type: fc.constant('run' as const), ms: fc.constantFrom(2_000, 4_000, 12_000) }),
);
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const change = fc.oneof(
  weighted(3, fc.record({ type: fc.constant('spec' as const), id })),
  weighted(4, fc.record({ type: fc.constant('report' as const), url })),
  weighted(2, fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(0, 500, 4_000, 11_000) })),
  weighted(1, fc.record({ type: fc.constant('lose' as const), id, url })),
  weighted(1, fc.record({ type: fc.constant('stray' as const), id, url })),
);

const sorted = (actions: readonly WorkerAction[]) => actions.map((each) => JSON.stringify(each)).sort();

describe('reconcileSome', () => {
  const outcomes = { compared: 0, acted: 0, whole: 0 };
  afterAll(() => {
    // The property proves nothing unless partial passes happen and have an effect.
    expect(outcomes.compared).toBeGreaterThan(300);
    expect(outcomes.acted).toBeGreaterThan(100);
  });

  it('decides the same as a full pass', () => {
    fc.assert(
      fc.property(
        fc.array(fault, { maxLength: 6 }),
        fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        (faults, rounds) => {
          const world = new SimulatedWorld();
          const versions = new Map<string, number>();
          const want = () =>
            world.want(
              ...IDS.map((each) => ({
                ...subscription(each),
                rtspUrl: `rtsp://x/${versions.get(each) ?? 0}`,
              })),
            );
          for (const each of URLS) world.addWorker(each);
          want();
          world.run(6_000);
          for (const each of faults) {
            const worker = 'url' in each ? world.workers.get(each.url)! : null;
            if (each.type === 'refuse') worker!.refuses.add(each.id);
            if (each.type === 'offline') worker!.offline.add(each.id);
            if (each.type === 'late') worker!.late = true;
            if (each.type === 'echo') worker!.echoes = true;
            if (each.type === 'forget') world.forget(each.id);
            if (each.type === 'reconnect') world.reconnect(each.url);
            if (each.type === 'fail-over') world.failOver();
            if (each.type === 'run') world.run(each.ms);
          }
          world.pass();
          for (const round of rounds) {
            const dirty = new Set<string>();
            const streams: StreamChange[] = [];
            for (const each of round) {
              if (each.type === 'wait') world.now += each.ms;
              if (each.type === 'lose')
                world.later(world.workers.get(each.url)!, (streams) => void streams.delete(each.id));
              if (each.type === 'stray')
                world.later(
                  world.workers.get(each.url)!,
                  (streams) => void streams.set(each.id, { online: true, modelId: 1, fingerprint: null }),
                );
              if (each.type === 'spec') {
                versions.set(each.id, (versions.get(each.id) ?? 0) + 1);
                dirty.add(each.id);
                want();
              }
              if (each.type === 'report')
                for (const subscriptionIdentifier of world.report(world.workers.get(each.url)!))
                  streams.push({ workerUrl: each.url, subscriptionIdentifier });
            }
            for (const [due, at] of world.due) if (at <= world.now) dirty.add(due);
            const { input } = world;
            // Each pass subscribes one of a worker's streams of unknown origin; which one depends on the subscriptions it examines.
            const unverified = [...world.tracked.values()].some(({ reason }) => reason === 'unverified');
            const isDue = world.wakeAt !== null && world.wakeAt <= world.now;
            const some = isDue ? null : runToEnd(reconcileSome(input, dirty, streams));
            const whole = reconcile(input);
            if (some === null) outcomes.whole++;
            else if (!unverified) {
              outcomes.compared++;
              if (some.actions.length > 0) outcomes.acted++;
              expect(whole.plan.actions).toEqual([]);
              expect(sorted(some.actions)).toEqual(sorted(whole.actions));
              expect(new Map([...input.tracked, ...some.tracked])).toEqual(new Map(whole.tracked));
              const due = new Map([...world.due].filter(([each]) => !some.tracked.has(each)));
              for (const [each, at] of some.due) due.set(each, at);
              expect(due).toEqual(new Map(whole.due));
              // A subscription that was refused before waits for its next attempt until a full pass places it elsewhere.
              if ([...input.tracked.values()].every(({ reason }) => reason !== 'refused'))
                expect(whole.wakeAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(world.now);
            }
            world.pass();
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('subscribes streams of unknown origin one at a time', () => {
    const world = new SimulatedWorld();
    world.addWorker('ws://a');
    world.want(subscription('d0;c0'), subscription('d1;c1'), subscription('d2;c2'));
    world.run(6_000);
    for (const each of ['d0;c0', 'd1;c1', 'd2;c2']) world.forget(each);
    world.pass();
    const unverified = () =>
      [...world.tracked].filter(([, { reason }]) => reason === 'unverified').map(([each]) => each);
    expect(unverified()).toHaveLength(2);
    world.now += 2_000;
    const some = runToEnd(reconcileSome(world.input, unverified(), []));
    expect(some?.actions).toHaveLength(1);
    expect([...some!.due.values()].some((at) => at === world.now + 2_000)).toBe(true);
  });
});
