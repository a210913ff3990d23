import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeRedis } from '@detector-cluster/election/redis';
import { MasterElection } from '@detector-cluster/master-election';
import type { TestingModule } from '@nestjs/testing';
import {
  context,
  propagation,
  ProxyTracerProvider,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { partitionOf } from '@detector-cluster/delivery/internal';
import { routerDefaults, type DetectionCallback } from '@detector-cluster/delivery';
import { DetectorCluster } from '../node/detector-cluster.js';
import { ScriptedWorker, startProcess } from './observed-app.fixture.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import {
  DetectorClusterTracingModule,
  type DetectorClusterTracingOptions,
} from './detector-cluster-tracing.module.js';
import { SpanRecorder } from './span-recorder.fixture.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { eventually } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const TIMEOUT = 20_000;

const parentOf = (span: ReadableSpan) => span.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan) => span.spanContext().spanId;
const traceOf = (span: ReadableSpan) => span.spanContext().traceId;

/** Asks for a subscription and waits until its worker has it. */
async function subscribe(
  cluster: DetectorCluster,
  callback: DetectionCallback,
  rtspUrl = 'rtsp://192.0.2.1/s',
): Promise<void> {
  await cluster.subscribeToCamera('d;c', rtspUrl, 'http://m/x', 1, 'cars', callback);
  await eventually('it runs', TIMEOUT, async () => {
    const { subscriptions } = await cluster.getSubscriptions();
    return subscriptions.some(({ status }) => status === 'active');
  });
}

describe('tracing', () => {
  /** A span of the application itself, with the global API. */
  const own = new SpanRecorder();
  let worker: ScriptedWorker;
  let keyPrefix: string;
  let redis: Redis;
  let apps: TestingModule[];

  beforeAll(() => own.provider.register());
  afterAll(async () => {
    await own.provider.shutdown();
    for (const api of [trace, context, propagation]) api.disable();
  });
  beforeEach(async () => {
    worker = await ScriptedWorker.start();
    keyPrefix = `{${randomUUID()}}:`;
    redis = openPatientRedis(process.env.REDIS_URL!);
    apps = [];
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    closeRedis(redis);
    await worker.stop();
  });

  async function start(tracing: DetectorClusterTracingOptions | null) {
    const url = worker.url.replace('ws://', 'ws://operator:s3cret@');
    const app = await startProcess(
      { redis: process.env.REDIS_URL!, keyPrefix, workers: [url], secret: 's'.repeat(32) },
      tracing === null ? [] : [DetectorClusterTracingModule.register(tracing)],
    );
    apps.push(app);
    const processId = app.get(MasterElection).getNodeId();
    return { processId, stream: clusterKeys(keyPrefix).slave(processId), cluster: app.get(DetectorCluster) };
  }

  async function traced() {
    const spans = new SpanRecorder();
    return { spans, ...(await start({ tracerProvider: spans.provider })) };
  }

  function detect(more: object): void {
    const data = { detection: {}, modelId: 1, modelName: 'cars' };
    const frame = {
      type: 'imageDetection',
      subscriptionIdentifier: 'd;c',
      timestamp: new Date().toISOString(),
      data,
    };
    worker.send(JSON.stringify({ ...frame, ...more }));
  }

  it('makes one trace of a frame, from its worker to the callbacks of two processes', async () => {
    const master = await traced();
    const slave = await traced();
    await slave.cluster.addGlobalDetectionListener(async () => {
      await sleep(1);
      trace.getTracer('app').startSpan('save').end();
    });
    await subscribe(master.cluster, () => undefined);
    const keys = clusterKeys(keyPrefix);
    const partition = partitionOf('d;c', routerDefaults.partitions);
    await eventually('the slave owns the partition', TIMEOUT, async () => {
      return (await redis.hget(keys.assignments, String(partition))) === slave.processId;
    });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    detect({ traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'camera=7' });

    const [received] = await master.spans.named('receive detection', 1);
    const sent = await master.spans.named('send ', 2);
    const [listened] = await master.spans.named('process ', 1);
    const [owned] = await slave.spans.named('process ', 1);
    const [save] = await own.named('save', 1);
    expect(traceOf(received!)).toBe(traceId);
    expect(parentOf(received!)).toBe('b7ad6b7169203331');
    expect(sent.map(parentOf)).toEqual([idOf(received!), idOf(received!)]);
    expect(new Set([parentOf(listened!), parentOf(owned!)])).toEqual(new Set(sent.map(idOf)));
    expect(parentOf(save!)).toBe(idOf(owned!));
    for (const span of [received!, ...sent, listened!, owned!, save!]) {
      expect(traceOf(span)).toBe(traceId);
      expect(span.spanContext().traceState?.serialize()).toBe('camera=7');
      expect(span.status.code).toBe(SpanStatusCode.UNSET);
    }

    const common = {
      'messaging.message.id': expect.stringMatching(/^\d+-\d+-1$/),
      'detector.subscription': 'd;c',
      'detector.worker': expect.stringContaining('127.0.0.1'),
    };
    expect(received).toMatchObject({ kind: SpanKind.CONSUMER, attributes: common });
    const logs = [
      {
        processed: owned!,
        stream: keys.partition(partition),
        template: `${keyPrefix.replaceAll(/[{}]/g, '')}worker:detections:{partition}`,
        of: String(partition),
      },
      {
        processed: listened!,
        stream: master.stream,
        template: `${keyPrefix}worker:slave:{processId}`,
        of: undefined,
      },
    ];
    for (const { processed, stream, template, of } of logs) {
      expect(processed).toMatchObject({
        name: `process ${template}`,
        kind: SpanKind.CONSUMER,
        attributes: {
          ...common,
          'messaging.system': 'redis',
          'messaging.operation.name': 'process',
          'messaging.operation.type': 'process',
          'messaging.destination.name': stream,
          'messaging.destination.template': template,
          'detector.redelivered': false,
          'detector.attempts': 1,
          'detector.outcome': 'handled',
        },
      });
      const sending = sent.find((span) => idOf(span) === parentOf(processed));
      expect(sending).toMatchObject({
        name: `send ${template}`,
        kind: SpanKind.PRODUCER,
        attributes: {
          ...common,
          'messaging.destination.name': stream,
          'messaging.destination.template': template,
          'detector.outcome': 'accepted',
        },
      });
      for (const { attributes } of [processed, sending!])
        expect(attributes['messaging.destination.partition.id']).toBe(of);
    }
    const all = [...master.spans.ended, ...slave.spans.ended].map(({ name, attributes, events }) => [
      name,
      attributes,
      events,
    ]);
    expect(JSON.stringify(all)).not.toMatch(/s3cret|operator/);
  });

  it('shows retries, dead letters and their replay in the trace of the frame', async () => {
    const { cluster, spans } = await traced();
    let failures = 1;
    await subscribe(cluster, () => {
      if (failures-- > 0) throw new TypeError('no room');
    });
    detect({});
    const [retried] = await spans.named('process ', 1);
    expect(retried).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'detector.outcome': 'handled', 'detector.attempts': 2 },
      events: [
        {
          name: 'exception',
          attributes: {
            'exception.type': 'TypeError',
            'exception.message': 'no room',
            'detector.attempt': 0,
          },
        },
      ],
    });

    failures = 4;
    detect({});
    const [, dead] = await spans.named('process ', 2);
    expect(dead).toMatchObject({
      status: { code: SpanStatusCode.ERROR, message: 'no room' },
      attributes: { 'detector.outcome': 'dead-letter', 'detector.attempts': 4, 'error.type': 'TypeError' },
    });
    expect(dead!.events.map(({ attributes }) => attributes?.['detector.attempt'])).toEqual([0, 1, 2, 3]);

    await eventually('the letter', TIMEOUT, async () => (await cluster.listDeadLetters()).length === 1);
    await cluster.replayDeadLetters('all');
    const [, , replayed] = await spans.named('process ', 3);
    expect(replayed).toMatchObject({
      attributes: { 'detector.redelivered': true, 'detector.outcome': 'handled' },
    });
    const sent = (await spans.named('send ', 3)).at(-1)!;
    expect([traceOf(sent), parentOf(sent)]).toEqual([traceOf(dead!), parentOf(dead!)]);
    expect([traceOf(replayed!), parentOf(replayed!)]).toEqual([traceOf(dead!), idOf(sent)]);
  });

  it('shows no credentials of a camera, a worker or an error in spans and dead letters', async () => {
    const { cluster, spans } = await traced();
    const rtspUrl = 'rtsp://viewer:c4mera@192.0.2.1/s?psw=c4mera';
    await subscribe(
      cluster,
      () => {
        throw new Error(`cannot open ${rtspUrl}`);
      },
      rtspUrl,
    );
    detect({});
    await spans.named('process ', 1);
    await eventually('the letter', TIMEOUT, async () => (await cluster.listDeadLetters()).length === 1);
    const shown = ['receive ', 'send ', 'process '].map((name) => spans.named(name, 1));
    const seen = (await Promise.all(shown))
      .flat()
      .map(({ attributes, events, name, status }) => ({ attributes, events, name, status }));
    const text = JSON.stringify([seen, await cluster.listDeadLetters()]);
    expect(text).toContain('cannot open rtsp://***@192.0.2.1/');
    expect(text).not.toMatch(/c4mera|s3cret|viewer|operator/);
  });

  it('delivers a detection with a broken context, in a new trace', async () => {
    const { cluster, spans, stream } = await traced();
    let seen = 0;
    await subscribe(cluster, () => void seen++);
    detect({ traceparent: { not: 'a text' }, tracestate: ['x'] });
    const [received] = await spans.named('receive detection', 1);
    expect(parentOf(received!)).toBeUndefined();
    await spans.named('process ', 1);

    const data = {
      subscriptionIdentifier: 'd;c',
      timestamp: new Date().toISOString(),
      data: { detection: null },
    };
    const message = { detectionId: 'x', workerUrl: 'w', receivedAt: Date.now(), data };
    for (const traceparent of ['', 'nonsense', 'x'.repeat(1_000_000), '\u0000\ud800'])
      await redis.xadd(
        stream,
        '*',
        'detections',
        1,
        'messages',
        JSON.stringify({ traceparent, tracestate: '=,=', ...message }),
      );
    const processed = (await spans.named('process ', 5)).slice(1);
    expect(processed.map(parentOf)).toEqual([undefined, undefined, undefined, undefined]);
    expect(seen).toBe(5);
  });

  it.each([
    ['without the module', null],
    ['without an SDK', { tracerProvider: new ProxyTracerProvider() }],
  ])('sends nothing along %s', async (_, tracing) => {
    const { cluster, stream } = await start(tracing);
    const finished = new AbortController();
    let calls = 0;
    await subscribe(cluster, () => {
      calls++;
      return once(finished.signal, 'abort');
    });
    detect({ traceparent: 'nonsense' });
    await eventually('the callback', TIMEOUT, () => calls === 1);
    const [entry] = await redis.xrange(stream, '-', '+');
    const [, , name, message] = entry![1];
    expect([name, Object.keys(JSON.parse(message!) as object)]).toEqual([
      'messages',
      ['detectionId', 'workerUrl', 'receivedAt', 'data'],
    ]);
    finished.abort();
    await eventually('the acknowledgement', TIMEOUT, async () => (await redis.xlen(stream)) === 0);
  });
});
