import { once } from 'node:events';
import { connect } from 'node:net';
import { CloseCode, MAX_FRAME_BYTES } from '@detector-cluster/worker-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { TestWorker } from '../fixtures/test-worker.fixture.js';
import { until } from '../fixtures/until.fixture.js';

describe('protocol', () => {
  let worker: TestWorker;
  afterEach(() => worker.stop());

  it('counts invalid frames by kind, and keeps the connection open', async () => {
    worker = await TestWorker.startQuiet();
    const master = await worker.connect(1);
    const rubbish = [
      '',
      'not json',
      '[]',
      '{"type":"imageDetection"}',
      '{"type":"subscribe","payload":{}}',
      '{"event":"frame","data":{"ok":true}}',
      '['.repeat(5000),
    ];
    for (const frame of rubbish) master.socket.send(frame);
    master.socket.send(Buffer.from([0xff, 0x00, 0x80]));
    master.subscribe('d1;c1');
    expect(await master.held()).toEqual(['d1;c1']);
    expect((await worker.stats()).invalidFrames).toEqual({
      'not-json': 3,
      'not-an-object': 1,
      'unknown-type': 2,
      'invalid-subscribe': 1,
      'too-deep': 1,
    });
    expect(master.closed).toBeUndefined();
  });

  it('ends a connection that sends a frame above the limit, and no other', async () => {
    worker = await TestWorker.startQuiet({ FENCING: 'off' });
    const master = await worker.connect();
    const other = await worker.connect();
    other.subscribe('d1;c1');
    master.socket.send('x'.repeat(2 * MAX_FRAME_BYTES));
    expect((await until('the close', () => master.closed)).code).toBe(CloseCode.MessageTooBig);
    expect(await other.held()).toEqual(['d1;c1']);
    expect((await worker.stats()).invalidFrames).toEqual({ 'too-large': 1 });
    expect((await worker.connect()).reports).toHaveLength(1);
  });

  it('reports to every socket at its interval, and to the one that asks', async () => {
    worker = await TestWorker.start({ STATE_REPORT_INTERVAL: '30', FENCING: 'off' });
    const masters = [await worker.connect(), await worker.connect()];
    await until('three reports each', () => masters.every(({ reports }) => reports.length >= 3));
    const [report] = masters[0]!.reports;
    for (const metric of ['cpuUsage', 'memoryUsage', 'gpuUsage', 'gpuMemoryUsage'] as const) {
      expect(report![metric]).toBeGreaterThanOrEqual(0);
      expect(report![metric]).toBeLessThanOrEqual(100);
    }
  });

  it('keeps sessions, reports about them and counts the answers', async () => {
    worker = await TestWorker.startQuiet({ PATCH_SESSION_EVERY_MS: '30' });
    const master = await worker.connect(1);
    master.send(
      { type: 'setSessionId', payload: { displayIdentifier: 'd1', sessionId: 41 } },
      { type: 'setSessionId', payload: { displayIdentifier: 'd2', sessionId: 42 } },
      { type: 'setSessionId', payload: { displayIdentifier: 'd1', sessionId: null } },
    );
    const patch = await until('a patch', () => master.messages.find(({ type }) => type === 'patchSession'));
    expect(patch).toMatchObject({ sessionId: 42, data: { displayIdentifier: 'd2' } });
    master.send(
      { type: 'patchSessionResult', payload: { sessionId: 42, success: true } },
      { type: 'patchSessionResult', payload: { sessionId: 42, success: false, message: 'no such session' } },
    );
    await master.held();
    const { sessions, sessionPatches } = await worker.stats();
    expect(sessions).toEqual({ d2: 42 });
    expect(sessionPatches).toMatchObject({ succeeded: 1, failed: 1 });
  });

  it('serves an image per camera, and JSON if there is none', async () => {
    // Each detection has another picture.
    worker = await TestWorker.startQuiet({ DETECTIONS_PER_SECOND: '0' });
    const master = await worker.connect(1);
    master.subscribe('d1;c1', 'd2;c1', 'd1;c/2');
    await master.held();
    const image = async (identifier: string) => {
      const response = await worker.fetch(`/camera/${encodeURIComponent(identifier)}/image`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      return Buffer.from(await response.arrayBuffer());
    };
    const first = await image('d1;c1');
    expect(first.equals(await image('d2;c1'))).toBe(true);
    expect(first.equals(await image('d1;c/2'))).toBe(false);
    const missing = await worker.fetch('/camera/d9%3Bc9/image');
    expect([missing.status, await missing.json()]).toEqual([
      404,
      expect.objectContaining({ statusCode: 404 }),
    ]);
    expect((await worker.fetch('/camera/%E0%A4/image')).status).toBe(400);
    for (const picture of ['another-stream.0', '0', 'x.-1', '%00', `${'1'.repeat(2_000)}`])
      expect((await worker.fetch(`/camera/d1%3Bc1/image?picture=${picture}`)).status).toBe(404);
  });

  it('keeps credentials out of its figures, and answers a liveness probe', async () => {
    worker = await TestWorker.startQuiet();
    const master = await worker.connect(1);
    master.subscribe('d1;c1');
    await master.held();
    expect(await (await worker.fetch('/stats')).text()).not.toContain('s3cret');
    expect(await (await worker.fetch('/health/live')).json()).toEqual({ status: 'ok' });
  });

  it('keeps an idle connection for longer than proxies do, and ends although others are silent', async () => {
    worker = await TestWorker.startQuiet();
    const { headers } = await worker.fetch('/health/live');
    expect(headers.get('keep-alive')).toBe('timeout=90');
    const silent = connect(worker.port, '127.0.0.1').on('error', () => undefined);
    await once(worker.app.getHttpServer(), 'connection');
    const ended = once(silent.resume(), 'close');
    await worker.app.close();
    await ended;
  });

  it('says goodbye with 1001 when it shuts down', async () => {
    worker = await TestWorker.startQuiet();
    const master = await worker.connect(1);
    await worker.app.close();
    expect(await until('the close', () => master.closed)).toEqual({
      code: CloseCode.GoingAway,
      reason: 'shutting down',
    });
  });
});
