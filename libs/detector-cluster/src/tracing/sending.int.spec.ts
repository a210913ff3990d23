import { SpanStatusCode } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryHarness, until } from '../../../../test/support/delivery-harness.js';
import { TracerSlot } from '../delivery/tracing/tracer-slot.js';
import { OpenTelemetryTracer } from './open-telemetry-tracer.js';
import { SpanRecorder } from './span-recorder.fixture.js';

jest.setTimeout(30_000);

const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();

const never = () => new Promise<never>(() => undefined);

describe.each(servers)('spans of sending (%s)', (url) => {
  let cluster: DeliveryHarness;
  let spans: SpanRecorder;
  let tracing: TracerSlot;
  beforeEach(() => {
    cluster = new DeliveryHarness(url);
    spans = new SpanRecorder();
    tracing = new TracerSlot();
    tracing.current = new OpenTelemetryTracer(spans.provider.getTracer('test'), cluster.keys);
  });
  afterEach(() => cluster.close());

  const outcomes = async (count: number) =>
    (await spans.named('send ', count)).map(({ attributes, status }) => [
      attributes['detector.outcome'],
      status.code === SpanStatusCode.ERROR,
    ]);
  const fieldsIn = async (processId: string) =>
    (await cluster.redis.xrange(cluster.keys.slave(processId), '-', '+')).map(
      ([, [, message, ...flags]]) => ({ ...(JSON.parse(message!) as { traceparent?: string }), flags }),
    );

  async function master(owners: string[], options = {}) {
    const { router } = cluster.master({ tracing, options });
    router.setMembers(owners);
    router.setWorkers(['w']);
    await router.start();
    return router;
  }

  it('say what was not accepted for want of room', async () => {
    await cluster.process('a', { stopDeadline: 0 }, never);
    const router = await master(['a'], { maxBacklogEntries: 1, overflow: 'reject-new' });
    for (let i = 0; i < 3; i++) cluster.send(router, 'w');
    expect(await outcomes(3)).toEqual([
      ['accepted', false],
      ['rejected', true],
      ['rejected', true],
    ]);
  });

  it('say what was dropped and discarded before it could be sent', async () => {
    const router = await master(['ghost'], { maxBufferEntries: 2 });
    await until(() => router.stats().assignments.w === 'ghost');
    for (let i = 0; i < 3; i++) cluster.send(router, 'w');
    expect(await outcomes(1)).toEqual([['dropped', true]]);
    await router.close();
    expect((await outcomes(3)).slice(1)).toEqual([
      ['discarded', true],
      ['discarded', true],
    ]);
  });

  it('are continued by the process that takes over from a dead one', async () => {
    const { consumer } = await cluster.process('a', { stopDeadline: 0 }, never);
    const router = await master(['a']);
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    const [before] = await fieldsIn('a');
    expect(before!.traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    await consumer.stop();
    await cluster.process('b', { stopDeadline: 0 }, never);
    router.setMembers(['b']);
    await until(() => cluster.delivered.length === 2);
    const [after] = await fieldsIn('b');
    expect(after).toMatchObject({
      traceparent: before!.traceparent,
      flags: ['for', 'owner', 'redelivered', '1'],
    });
  });

  it('begin anew where an entry that was not sent goes to another process', async () => {
    await cluster.process('b', { stopDeadline: 0 }, never);
    const router = await master(['ghost']);
    cluster.send(router, 'w');
    router.setMembers(['b']);
    await until(() => cluster.delivered.length === 1);
    expect(await outcomes(2)).toEqual([
      ['redirected', false],
      ['accepted', false],
    ]);
    const [, accepted] = await spans.named('send ', 2);
    const [entry] = await fieldsIn('b');
    expect(entry!.traceparent).toContain(accepted!.spanContext().spanId);
  });
});
