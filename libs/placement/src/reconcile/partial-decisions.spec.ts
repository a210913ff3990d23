import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { specHash } from '../model/spec-hash.js';
import { reconcileSome, type StreamChange } from './reconcile-some.js';
import { PartialDecisions } from './partial-decisions.js';
import { SimulatedWorld, subscription } from './simulated-world.fixture.js';
import { runToEnd } from '../model/in-chunks.js';

const URLS = ['ws://a', 'ws://b', 'ws://c'];
const IDS = Array.from({ length: 9 }, (_, i) => `d${i};c${i % 6}`);
/** A pass can be interrupted at least this many times. */
const STEPS = 15;

describe('PartialDecisions', () => {
  const outcomes = { partial: 0, whole: 0 };
  afterAll(() => {
    // The property proves nothing unless small changes are carried out during full passes.
    expect(outcomes.partial).toBeGreaterThan(300);
  });

  it('sends each change during a full pass to its worker once', () => {
    const change = fc.record({
      step: fc.nat(STEPS),
      id: fc.constantFrom(...IDS),
      report: fc.option(fc.constantFrom(...URLS), { nil: null }),
    });
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        fc.option(fc.constantFrom(...URLS), { nil: null }),
        (changes, echoes, lost) => {
          const world = new SimulatedWorld();
          for (const url of URLS) world.addWorker(url).echoes = echoes;
          world.want(...IDS.map((id) => subscription(id)));
          world.run(6_000);
          // The full pass also has changes of its own.
          if (lost !== null) world.later(world.workers.get(lost)!, (streams) => void streams.clear());
          world.now += 2_000;
          for (const worker of world.workers.values()) world.report(worker);
          world.sent = [];

          const versions = new Map<string, number>();
          const dirty = new Set<string>();
          const failed = new Set<string>();
          world.pass((step) => {
            const streams: StreamChange[] = [];
            for (const { id, report, step: at } of changes) {
              if (at !== step) continue;
              const version = (versions.get(id) ?? 0) + 1;
              versions.set(id, version);
              const entry = world.desired.get(id)!;
              const spec = { ...entry.spec, rtspUrl: `rtsp://x/${version}` };
              world.desired.set(id, { ...entry, spec, hash: specHash(spec) });
              dirty.add(id);
              if (report === null) continue;
              for (const subscriptionIdentifier of world.report(world.workers.get(report)!))
                streams.push({ workerUrl: report, subscriptionIdentifier });
            }
            if (dirty.size === 0 && streams.length === 0) return null;
            const some = runToEnd(reconcileSome(world.input, dirty, streams));
            if (some === null) for (const id of dirty) failed.add(id);
            dirty.clear();
            if (some === null) outcomes.whole++;
            else outcomes.partial++;
            return some;
          });

          const sent = new Map<string, number>();
          for (const { subscriptionIdentifier: id, type } of world.sent)
            if (type === 'subscribe') sent.set(id, (sent.get(id) ?? 0) + 1);
          const asked = changes.map(({ id, step }) => `${step} ${id}`);
          if (lost === null && failed.size === 0)
            for (const id of versions.keys())
              expect([id, sent.get(id)]).toEqual([
                id,
                new Set(asked.filter((each) => each.endsWith(` ${id}`))).size,
              ]);

          // Changes that were carried out during this pass need no further full pass.
          for (let round = 0; round < 3; round++) {
            world.now += 2_000;
            const streams = [...world.workers].flatMap(([workerUrl, worker]) =>
              world.report(worker).map((subscriptionIdentifier) => ({ workerUrl, subscriptionIdentifier })),
            );
            const due = [...world.due].flatMap(([id, at]) => (at <= world.now ? [id] : []));
            const some = runToEnd(reconcileSome(world.input, [...due, ...failed, ...dirty], streams));
            if (some === null) world.pass();
            else world.carryOutSome(some);
          }
          expect(world.outdated).toEqual([]);
          if (lost === null)
            expect(world.statuses()).toEqual(Object.fromEntries(IDS.map((id) => [id, 'active/streaming'])));
          const counts = new Map<string, number>();
          for (const { subscriptionIdentifier: id, type } of world.sent)
            if (type === 'subscribe') counts.set(id, (counts.get(id) ?? 0) + 1);
          if (lost === null && failed.size === 0) expect(counts).toEqual(sent);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('replaces a record and its next wake time, unless the plan has moved the subscription', () => {
    const world = new SimulatedWorld();
    world.addWorker('ws://a');
    world.want(subscription('d0;c0'), subscription('d1;c1'), subscription('d2;c2'));
    const result = world.pass();
    const own = (id: string, workerUrl: string) => ({
      ...result.tracked.get(id)!,
      workerUrl,
      reason: 'decided',
    });
    const partial = new PartialDecisions();
    partial.add({
      tracked: new Map([
        ['d0;c0', own('d0;c0', 'ws://a')],
        ['d1;c1', own('d1;c1', 'ws://a')],
        ['d2;c2', own('d2;c2', 'ws://b')],
      ]),
      due: new Map([
        ['d0;c0', 5],
        ['d2;c2', 5],
      ]),
      actions: [],
    });
    const due = new Map([
      ['d1;c1', 7],
      ['d2;c2', 7],
    ]);
    const kept = partial.keptIn({ ...result, due });
    expect([...kept.tracked].filter(([, { reason }]) => reason === 'decided').map(([id]) => id)).toEqual([
      'd0;c0',
      'd1;c1',
    ]);
    expect(Object.fromEntries(kept.due)).toEqual({ 'd0;c0': 5, 'd2;c2': 7 });
    expect(kept.actions.map(({ subscriptionIdentifier: id }) => id)).toEqual(['d2;c2']);
  });
});
