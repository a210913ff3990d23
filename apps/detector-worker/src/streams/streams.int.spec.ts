import { afterEach, describe, expect, it } from 'vitest';
import { subscribePayload } from '../fixtures/subscribe-payload.fixture.js';
import { TestWorker } from '../fixtures/test-worker.fixture.js';
import { until } from '../fixtures/until.fixture.js';

const list = (...ids: string[]) => ({
  type: 'setSubscriptionList' as const,
  payload: { subscriptions: ids.map((id) => subscribePayload(id)) },
});

describe('streams', () => {
  let worker: TestWorker;
  afterEach(() => worker.stop());

  it('opens one stream per camera and feeds every subscription of it', async () => {
    worker = await TestWorker.startQuiet({ DETECTIONS_PER_SECOND: '50' });
    const master = await worker.connect(1);
    master.subscribe('d1;c1', 'd2;c1', 'd1;c2');
    await until('detections of all', () =>
      ['d1;c1', 'd2;c1', 'd1;c2'].every((id) => master.sequences(id).length >= 5),
    );
    for (const id of ['d1;c1', 'd2;c1', 'd1;c2']) {
      const sequences = master.sequences(id);
      expect(sequences).toEqual(sequences.map((_, i) => i + 1));
    }
    const { streams } = await worker.stats();
    expect(streams.map(({ cameraId, subscriptions }) => [cameraId, subscriptions.length])).toEqual([
      ['c1', 2],
      ['c2', 1],
    ]);
    const streamIds = new Map(
      master.detections.map((d) => [d.subscriptionIdentifier, d.data.detection!.streamId]),
    );
    expect(streamIds.get('d1;c1')).toBe(streamIds.get('d2;c1'));
    expect(streamIds.get('d1;c1')).not.toBe(streamIds.get('d1;c2'));
  });

  it('replaces a subscription of the same identifier and carries out commands in order', async () => {
    worker = await TestWorker.startQuiet();
    const master = await worker.connect(1);
    master.subscribe('d1;c1');
    master.send(
      {
        type: 'subscribe',
        payload: subscribePayload('d1;c1', { modelId: 99, modelName: 'other', cropX1: 4 }),
      },
      { type: 'subscribe', payload: subscribePayload('d1;c2') },
      { type: 'unsubscribe', payload: { subscriptionIdentifier: 'd1;c2' } },
      { type: 'unsubscribe', payload: { subscriptionIdentifier: 'never;there' } },
    );
    expect(await master.held()).toEqual(['d1;c1']);
    expect(master.reports.at(-1)!.cameraConnections).toEqual([
      { subscriptionIdentifier: 'd1;c1', modelId: 99, modelName: 'other', online: true, cropX1: 4 },
    ]);
    const { commands, streams } = await worker.stats();
    expect(streams[0]!.subscriptions).toMatchObject([{ modelId: 99, modelName: 'other', cropX1: 4 }]);
    expect(commands.accepted).toMatchObject({
      subscribe: 3,
      unsubscribe: 2,
      requestState: 1,
    });
  });

  it('replaces everything by a list, and leaves streams alone that stay', async () => {
    worker = await TestWorker.startQuiet({ PROTOCOL: 'v2' });
    const master = await worker.connect(1);
    master.send(list('d1;c1', 'd2;c2'));
    expect(await master.held()).toEqual(['d1;c1', 'd2;c2']);
    const streamOf = async (camera: string) =>
      (await worker.stats()).streams.find(({ cameraId }) => cameraId === camera)?.streamId;
    const before = await streamOf('c1');
    master.send(list('d1;c1', 'd3;c3'));
    master.subscribe('d4;c4');
    expect(await master.held()).toEqual(['d1;c1', 'd3;c3']);
    expect(await streamOf('c1')).toBe(before);
    const { commands, invalidFrames } = await worker.stats();
    expect(commands.accepted).toMatchObject({ setSubscriptionList: 2, subscribe: 0 });
    expect(invalidFrames).toEqual({ 'unknown-type': 1 });
    master.send(list());
    expect(await master.held()).toEqual([]);
  });

  it('counts on after a subscription was ended and taken again, as another stream', async () => {
    worker = await TestWorker.startQuiet({ DETECTIONS_PER_SECOND: '100' });
    const master = await worker.connect(1);
    master.subscribe('d1;c1');
    await until('detections', () => master.sequences('d1;c1').length >= 3);
    master.send({ type: 'unsubscribe', payload: { subscriptionIdentifier: 'd1;c1' } });
    expect(await master.held()).toEqual([]);
    const before = master.detections.length;
    master.subscribe('d1;c1');
    await until('detections again', () => master.detections.length > before + 3);
    const sequences = master.sequences('d1;c1');
    expect(sequences).toEqual(sequences.map((_, i) => i + 1));
    expect(new Set(master.detections.map(({ data }) => data.detection!.streamId)).size).toBe(2);
  });

  it('lingers: keeps streams for the next master', async () => {
    worker = await TestWorker.startQuiet({ LINGER_MS: '600000', DETECTIONS_PER_SECOND: '100' });
    const first = await worker.connect(1);
    first.subscribe('d1;c1');
    await first.held();
    first.socket.terminate();
    await until('the close', async () => (await worker.stats()).connections.length === 0);
    await until('detections that wait', async () => (await worker.stats()).unconfirmed > 0);
    const second = await worker.connect(2);
    expect(second.reports[0]!.cameraConnections).toMatchObject([
      { subscriptionIdentifier: 'd1;c1', online: true },
    ]);
  });

  it('drops streams when the linger time is over', async () => {
    worker = await TestWorker.startQuiet({ LINGER_MS: '100' });
    const first = await worker.connect(1);
    first.subscribe('d1;c1');
    expect(await first.held()).toEqual(['d1;c1']);
    first.socket.close();
    await until('the streams to end', async () => (await worker.stats()).streams.length === 0);
    expect((await worker.connect(2)).reports[0]!.cameraConnections).toEqual([]);
  });

  it('keeps streams while any socket is open, whatever the linger time', async () => {
    worker = await TestWorker.startQuiet({ LINGER_MS: '0', FENCING: 'off' });
    const first = await worker.connect();
    first.subscribe('d1;c1');
    await first.held();
    const second = await worker.connect();
    first.socket.terminate();
    await until('the close', async () => (await worker.stats()).connections.length === 1);
    expect(await second.held()).toEqual(['d1;c1']);
  });

  it('drops at once on request', async () => {
    worker = await TestWorker.startQuiet({ ON_DISCONNECT: 'drop', LINGER_MS: '60000' });
    const first = await worker.connect(1);
    first.subscribe('d1;c1');
    expect(await first.held()).toEqual(['d1;c1']);
    first.socket.terminate();
    await until('the close', async () => (await worker.stats()).connections.length === 0);
    expect((await worker.connect(2)).reports[0]!.cameraConnections).toEqual([]);
  });

  it('keeps a high rate over time, every detection numbered once', async () => {
    worker = await TestWorker.startQuiet({ DETECTIONS_PER_SECOND: '2000' });
    const master = await worker.connect(1);
    const start = performance.now();
    master.subscribe('d1;c1');
    await until('two thousand', () => master.detections.length >= 2000);
    // The worker makes up for a second of a pause, so a burst does not show its rate.
    const rate = (master.detections.length / (performance.now() - start)) * 1000;
    // One detection for each tick would be 100.
    expect(rate).toBeGreaterThan(200);
    expect(rate).toBeLessThan(2000 * 1.1);
    const sequences = master.sequences('d1;c1');
    expect(sequences).toEqual(sequences.map((_, i) => i + 1));
  });
});
