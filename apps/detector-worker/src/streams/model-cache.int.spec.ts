import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileServer } from '../../../../test/support/file-server.js';
import { subscribePayload } from '../fixtures/subscribe-payload.fixture.js';
import { TestWorker } from '../fixtures/test-worker.fixture.js';
import { until } from '../fixtures/until.fixture.js';

describe('files of models', () => {
  let store: FileServer;
  let worker: TestWorker;
  beforeEach(async () => {
    store = await FileServer.start({ '/a': 'first', '/b': 'second' });
  });
  afterEach(async () => {
    await worker?.stop();
    store.stop();
  });

  const subscribe = (id: string, path: string, modelVersion?: string, file: object = {}) => ({
    type: 'subscribe' as const,
    payload: subscribePayload(id, {
      modelUrl: path.includes(':') ? path : `${store.url}${path}?signature=s3cret`,
      ...(modelVersion !== undefined && { modelVersion }),
      ...file,
    }),
  });
  const settled = async (count: number) => {
    await until('the downloads', async () => {
      const { models } = await worker.stats();
      return models.length === count && models.every(({ state }) => state !== 'loading');
    });
    return (await worker.stats()).models;
  };

  it('are downloaded once for each version, in both versions of the protocol', async () => {
    worker = await TestWorker.startQuiet({ DOWNLOAD_MODELS: 'on' });
    const master = await worker.connect(1);
    master.send(subscribe('d1;c1', '/a', '1'), subscribe('d2;c2', '/a', '1'), subscribe('d3;c3', '/b'));
    const subscriptions = ['d4;c4', 'd5;c5'].map((id) => subscribe(id, '/b', '2').payload);
    await settled(2);
    master.send({ type: 'setSubscriptionList', payload: { subscriptions } });
    expect(await settled(3)).toMatchObject([
      { modelId: 12, modelVersion: '1', state: 'ready', downloads: 1, bytes: 5 },
      { modelId: 12, modelVersion: null, state: 'ready', downloads: 1, bytes: 6 },
      { modelId: 12, modelVersion: '2', state: 'ready', downloads: 1, bytes: 6 },
    ]);
    expect([...store.requests].sort()).toEqual([
      ['/a', 1],
      ['/b', 2],
    ]);
  });

  it('that fail have a reason without the address', async () => {
    worker = await TestWorker.startQuiet({ DOWNLOAD_MODELS: 'on' });
    const master = await worker.connect(1);
    master.send(
      subscribe('d1;c1', '/none', '1'),
      subscribe('d2;c2', 'http://127.0.0.1:9/?signature=s3cret', '2'),
      subscribe('d3;c3', 'file:///etc/passwd?s3cret', '3'),
    );
    expect((await settled(3)).map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', 'HTTP 404'],
      ['failed', expect.stringMatching(/^(no connection|the connection broke)/)],
      ['failed', 'the connection broke'],
    ]);
    store.files.set('/none', 'late');
    master.send(subscribe('d1;c1', '/none', '1'));
    await until('another download', async () => (await worker.stats()).models[0]!.state === 'ready');
  });

  it('that are not those of the command have failed', async () => {
    worker = await TestWorker.startQuiet({ DOWNLOAD_MODELS: 'on' });
    const master = await worker.connect(1);
    const modelSha256 = createHash('sha256').update('first').digest('hex');
    master.send(
      subscribe('d1;c1', '/a', '1', { modelSize: 5, modelSha256 }),
      subscribe('d2;c2', '/a', '2', { modelSize: 6 }),
      subscribe('d3;c3', '/a', '3', {
        modelSha256: modelSha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      }),
      subscribe('d4;c4', '/b', '4', { modelSize: 5 }),
    );
    expect((await settled(4)).map(({ state, reason }) => [state, reason])).toEqual([
      ['ready', undefined],
      ['failed', '5 bytes, not 6'],
      ['failed', 'another SHA-256 than announced'],
      ['failed', 'larger than 5 bytes'],
    ]);
  });

  it('are left alone by default', async () => {
    worker = await TestWorker.startQuiet();
    const master = await worker.connect(1);
    master.send(subscribe('d1;c1', '/a', '1'));
    expect(await master.held()).toEqual(['d1;c1']);
    expect([(await worker.stats()).models, store.requests.size]).toEqual([[], 0]);
  });
});
