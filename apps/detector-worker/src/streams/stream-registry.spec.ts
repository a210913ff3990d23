import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FaultPlan, faultsSchema } from '../faults/fault-plan.js';
import { ManualClock } from '../fixtures/manual-clock.fixture.js';
import { subscribePayload } from '../fixtures/subscribe-payload.fixture.js';
import { splitIdentifier, StreamRegistry } from './stream-registry.js';

const noModels = { need: () => undefined };

function setUp(faults: object = {}, perSecond = 1, random = 0) {
  const clock = new ManualClock();
  const plan = new FaultPlan(faultsSchema.parse(faults));
  return { clock, plan, registry: new StreamRegistry(clock, plan, perSecond, noModels, 'off', () => random) };
}
const identifiersOf = (registry: StreamRegistry) =>
  Array.from(registry.subscriptions(), ({ identifier }) => identifier);

describe('StreamRegistry', () => {
  it('has exactly one stream per camera that has a subscription, after any commands', () => {
    const identifier = fc
      .tuple(fc.constantFrom('d1', 'd2', 'd3'), fc.constantFrom('c1', 'c2', 'c3'))
      .map((parts) => parts.join(';'));
    const step = fc.record({ identifier, take: fc.boolean(), url: fc.constantFrom('rtsp://a', 'rtsp://b') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { registry } = setUp();
        const expected = new Set<string>();
        for (const { identifier: id, take, url } of steps) {
          if (take) {
            expect(registry.subscribe(subscribePayload(id, { rtspUrl: url }))).toBe(true);
            expected.add(id);
          } else expect(registry.unsubscribe(id)).toBe(expected.delete(id));
          const streams = [...registry.streams()];
          const carried = streams.flatMap(({ subscriptions }) => [...subscriptions.keys()]);
          expect(carried.sort()).toEqual([...expected].sort());
          expect(identifiersOf(registry).sort()).toEqual([...expected].sort());
          expect(streams.map(({ cameraId }) => cameraId).sort()).toEqual(
            [...new Set([...expected].map((name) => splitIdentifier(name).cameraId))].sort(),
          );
        }
      }),
    );
  });

  it('keeps the stream when a subscription is renewed, restarts it when the address changed', () => {
    const { registry } = setUp();
    registry.subscribe(subscribePayload('d1;c1', { rtspUrl: 'rtsp://a' }));
    registry.subscribe(subscribePayload('d2;c1', { rtspUrl: 'rtsp://a' }));
    const [before] = registry.streams();
    registry.subscribe(subscribePayload('d1;c1', { rtspUrl: 'rtsp://a', modelId: 77 }));
    expect([...registry.streams()]).toEqual([before]);
    expect(registry.find('d1;c1')?.payload.modelId).toBe(77);
    registry.subscribe(subscribePayload('d1;c1', { rtspUrl: 'rtsp://b' }));
    const [after, ...others] = registry.streams();
    expect(others).toEqual([]);
    expect(after!.streamId).not.toBe(before!.streamId);
    expect([...after!.subscriptions.keys()].sort()).toEqual(['d1;c1', 'd2;c1']);
  });

  it('keeps what it holds when a refusal is set later', () => {
    const { registry, plan } = setUp();
    registry.subscribe(subscribePayload('d1;c1'));
    plan.current = faultsSchema.parse({ refuse: ['c1'] });
    expect(registry.subscribe(subscribePayload('d2;c1'))).toBe(false);
    expect(identifiersOf(registry)).toEqual(['d1;c1']);
  });

  it('is online if it has a stream, unless a fault sets it offline', () => {
    const { registry } = setUp({ offline: ['c2'] });
    registry.subscribe(subscribePayload('d1;c1'));
    registry.subscribe(subscribePayload('d1;c2'));
    expect(['c1', 'c2', 'c3'].map((camera) => registry.isOnline(camera))).toEqual([true, false, false]);
    registry.clear();
    expect(registry.isOnline('c1')).toBe(false);
    expect(registry.streamCount).toBe(0);
  });

  it('spreads the first detections of slow streams over at most a second', () => {
    const { registry, clock } = setUp({}, 0.1, 0.5);
    registry.subscribe(subscribePayload('d1;c1'));
    const [stream] = registry.streams();
    clock.time = 499;
    expect(stream!.pacer.due(clock.now())).toBe(0);
    clock.time = 500;
    expect(stream!.pacer.due(clock.now())).toBe(1);
  });

  it.each([
    ['d1;c1', { displayId: 'd1', cameraId: 'c1' }],
    ['d1;c;1', { displayId: 'd1', cameraId: 'c;1' }],
    ['c1', { displayId: 'c1', cameraId: 'c1' }],
  ])('splits %s', (identifier, parts) => {
    expect(splitIdentifier(identifier)).toEqual(parts);
  });
});
