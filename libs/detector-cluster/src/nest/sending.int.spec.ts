import { SpanStatusCode } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { TracerSlot } from '@detector-cluster/delivery/internal';
import { OpenTelemetryTracer } from './open-telemetry-tracer.js';
import { SpanRecorder } from './span-recorder.fixture.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

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
  const fieldsIn = async (stream: string) =>
    (await cluster.redis.xrange(stream, '-', '+'))
      .flatMap(([, fields]) => fields.at(-1)!.split('\n'))
      .map((message) => JSON.parse(message) as { traceparent?: string; redelivered?: boolean });

  async function master(owners: string[], options = {}) {
    const { router } = cluster.master({ tracing, options: { partitions: 1, ...options } });
    router.setMembers(owners);
    await router.start();
    return router;
  }

  it('say what a full log refused', async () => {
    await cluster.process('a', { stopDeadline: 0 }, never);
    const router = await master(['a'], { maxBacklogEntries: 1, overflow: 'refuse-new' });
    for (let i = 0; i < 3; i++) cluster.send(router, 'w');
    expect(await outcomes(3)).toEqual([
      ['accepted', false],
      ['refused', true],
      ['refused', true],
    ]);
  });

  it('say what was dropped and discarded before it could be sent', async () => {
    await cluster.process('a', { stopDeadline: 0 }, never);
    const { router } = cluster.master({ tracing, options: { maxBufferEntries: 2 }, isValid: () => false });
    await router.start();
    for (let i = 0; i < 3; i++) cluster.send(router, 'w');
    expect(await outcomes(1)).toEqual([['dropped', true]]);
    router.close();
    expect((await outcomes(3)).slice(1)).toEqual([
      ['discarded', true],
      ['discarded', true],
    ]);
  });

  it('are one for each log', async () => {
    const a = await cluster.process('a', { stopDeadline: 0 }, never);
    const router = await master(['a']);
    a.listeners.add('w;camera', never);
    await cluster.announced(a);
    cluster.send(router, 'w');
    const sent = await spans.named('send ', 2);
    expect(sent.map(({ attributes }) => attributes['messaging.destination.name']).sort()).toEqual(
      [cluster.keys.partition(0), cluster.keys.slave('a')].sort(),
    );
    for (const span of sent) {
      const [entry] = await fieldsIn(String(span.attributes['messaging.destination.name']));
      expect(entry!.traceparent).toContain(span.spanContext().spanId);
    }
  });

  it('are continued by the process that takes over from a dead one', async () => {
    const { crash } = await cluster.process('a', { stopDeadline: 0 }, never);
    const router = await master(['a']);
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    const stream = cluster.keys.partition(0);
    const before = await fieldsIn(stream);
    expect(before).toMatchObject([{ traceparent: expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/) }]);
    crash();
    const successor = new SpanRecorder();
    const successorTracing = new TracerSlot();
    successorTracing.current = new OpenTelemetryTracer(successor.provider.getTracer('test'), cluster.keys);
    await cluster.process('b', { stopDeadline: 0 }, () => undefined, { tracing: successorTracing });
    router.setMembers(['b']);
    const [processed] = await successor.named('process ', 1);
    const [sent] = await spans.named('send ', 1);
    expect(processed!.parentSpanContext?.spanId).toBe(sent!.spanContext().spanId);
    expect(processed).toMatchObject({
      attributes: { 'detector.redelivered': true, 'detector.outcome': 'handled' },
    });
  });
});
