import { DetectorCluster, DetectorClusterModule } from '@detector-cluster/detector-cluster';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import {
  LocalCluster,
  waitFor,
  type AppProcess,
  type SubscriptionAnswer,
} from '@detector-cluster/local-cluster';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { urlForms } from '../../libs/detector-cluster/src/shared/makers.fixture.js';
import { greeting, PageClient } from '../../apps/cms-backend/src/dashboard/page-client.fixture.js';
import { watchCommands } from '../support/watch-commands.js';
import { TIMEOUT } from './support/cluster.js';
import { findSecrets } from './support/find-secrets.js';
import { redisText } from './support/redis-text.js';

vi.setConfig({ testTimeout: 8 * TIMEOUT, hookTimeout: 8 * TIMEOUT });

const secrets = {
  cameraPassword: 'cam3ra-p@ssword',
  cameraToken: 'c4mera-query-token',
  snapshotPassword: 'snapsh0t-password',
  workerPassword: 'w0rker-p@ssword',
  workerQuery: 'w0rker-query-token',
  workerToken: 'w0rker-bearer-token',
  explicitPassword: 'expl1cit-password',
  modelSignature: 'm0del-signature',
  storePassword: 'st0re-password',
  s3Secret: 's3-s3cret-access-key',
  s3SessionToken: 's3-sess1on-token',
  workerCommonToken: 'w0rker-common-token',
  apiKey: 'ap1-key-of-the-service',
  clusterSecret: 'cluster-s3cret-of-at-least-32-characters',
} as const;
/** Cameras of every maker, each with credentials of its own. */
const cameras = Object.entries(urlForms).map(([form, urlOf], n) => {
  const user = `us3r${randomBytes(6).toString('hex')}`;
  const password = `p4ss${randomBytes(6).toString('hex')}`;
  return {
    form,
    user,
    password,
    cameraIdentifier: `maker-${n}`,
    rtspUrl: urlOf(user, password, `192.0.2.${n + 10}`),
  };
});
const makersSecrets = Object.fromEntries(
  cameras.flatMap(({ form, user, password }) => [
    [`user of "${form}"`, user],
    [`password of "${form}"`, password],
  ]),
);

const quoted = encodeURIComponent;
const rtspUrl = `rtsp://viewer:${quoted(secrets.cameraPassword)}@192.0.2.1/s?token=${secrets.cameraToken}`;

const workerAddress = ({ port }: AppProcess, userInfo = '') =>
  `ws://${userInfo}127.0.0.1:${port}/?access_token=${secrets.workerQuery}`;

const active = (
  what: string,
  count: number,
  read: () => Promise<readonly Pick<SubscriptionAnswer, 'status'>[]>,
) =>
  waitFor(
    what,
    TIMEOUT,
    async () => {
      const subscriptions = await read();
      return subscriptions.length === count && subscriptions.every(({ status }) => status === 'active')
        ? true
        : null;
    },
    async () => JSON.stringify(await read()),
  );

describe('secrets', () => {
  let redis: RedisService;
  let client: Redis;
  let endWatch: (() => void) | undefined;
  let cluster: LocalCluster;
  let app: INestApplicationContext | undefined;
  /** What was seen or said so far, by where. */
  let texts: Map<string, string>;

  const note = (source: string, text: unknown) =>
    texts.set(
      source,
      `${texts.get(source) ?? ''}${typeof text === 'string' ? text : JSON.stringify(text)}\n`,
    );

  beforeEach(async () => {
    texts = new Map();
    app = undefined;
    redis = await startRedis();
    client = new Redis(redis.url);
    endWatch = await watchCommands(redis.url, ({ name, args }) => note('commands to Redis', [name, ...args]));
    cluster = await LocalCluster.start({
      backends: 0,
      workers: 2,
      seed: false,
      redisUrl: redis.url,
      databaseUrl: process.env.DATABASE_URL,
      workerEnv: { DETECTIONS_PER_SECOND: '5' },
    });
  });
  afterEach(async () => {
    await app?.close();
    await cluster?.stop();
    endWatch?.();
    client?.disconnect();
    await redis?.stop();
  });

  /** Asks a backend; the answer is noted whatever it is. */
  async function ask(backend: AppProcess, method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${backend.url}${path}`, {
      method,
      headers: { 'x-api-key': secrets.apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    note(`${method} ${path}`, `${response.status} ${JSON.stringify([...response.headers])} ${text}`);
    return /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
  }

  const backendEnv = () => ({
    DETECTOR_WORKERS: cluster.workers
      .map((worker) => workerAddress(worker, `boss:${quoted(secrets.workerPassword)}@`))
      .join(','),
    MODEL_BASE_URL: `http://store:${secrets.storePassword}@models.example.com`,
    API_KEY: secrets.apiKey,
    CLUSTER_SECRET: secrets.clusterSecret,
    ELECTION_TIMING: 'fast',
    LOG_LEVEL: 'verbose',
    DETECT_DEBUG: 'true',
  });

  /** With models in S3, and workers that get a token instead of a name. */
  const otherEnv = () => ({
    DETECTOR_WORKERS: JSON.stringify(cluster.workers.map((worker) => ({ url: workerAddress(worker) }))),
    WORKER_TOKEN: secrets.workerCommonToken,
    MODEL_BASE_URL: '',
    MODEL_S3_BUCKET: 'models',
    MODEL_S3_REGION: 'eu-central-1',
    MODEL_S3_ACCESS_KEY_ID: 'id-of-the-key',
    MODEL_S3_SECRET_ACCESS_KEY: secrets.s3Secret,
    MODEL_S3_SESSION_TOKEN: secrets.s3SessionToken,
  });

  /** Returns how many subscriptions there are then. */
  async function fillDatabase(backend: AppProcess): Promise<number> {
    const snapshotUrl = `http://viewer:${secrets.snapshotPassword}@192.0.2.1/s.jpg`;
    await ask(backend, 'POST', '/api/cameras', { cameraIdentifier: 'cam', rtspUrl, snapshotUrl });
    const model = (await ask(backend, 'POST', '/api/models', { name: 'm', fileKey: 'm.mpta' })) as {
      id: number;
    };
    const playlist = (await ask(backend, 'POST', '/api/playlists', { name: 'p', modelId: model.id })) as {
      id: number;
    };
    await ask(backend, 'POST', '/api/displays', {
      displayId: 'display',
      cameraIdentifier: 'cam',
      playlistId: playlist.id,
    });
    // Refusals name what is wrong, and must not repeat it.
    const broken = { cameraIdentifier: 'bad', rtspUrl: `ftp://u:${secrets.cameraPassword}@h/#` };
    await ask(backend, 'POST', '/api/cameras', broken);
    await ask(backend, 'PATCH', '/api/cameras/cam', { rtspUrl: [rtspUrl] });
    let subscriptions = 1;
    for (const camera of cameras) {
      const { cameraIdentifier } = camera;
      const snapshotUrl = camera.rtspUrl.replace(/^rtsp/, 'http');
      const added = (await ask(backend, 'POST', '/api/cameras', {
        cameraIdentifier,
        rtspUrl: camera.rtspUrl,
        snapshotUrl,
      })) as object;
      if (!('createdAt' in added)) continue;
      const displayId = `display of ${cameraIdentifier}`;
      await ask(backend, 'POST', '/api/displays', { displayId, cameraIdentifier, playlistId: playlist.id });
      subscriptions++;
    }
    return subscriptions;
  }

  const write = (...args: unknown[]) => note('log of this process', args.map(String).join(' '));

  /** A process of the same cluster, inside this one. */
  async function joinCluster(): Promise<DetectorCluster> {
    const logger: LoggerService = { log: write, warn: write, error: write, debug: write, verbose: write };
    class BackendModule {}
    app = await NestFactory.createApplicationContext(
      {
        module: BackendModule,
        imports: [
          MasterElectionModule.forRoot({
            redis: redis.url,
            timing: 'fast',
            lockName: `${cluster.keyPrefix}master-election`,
            isGlobal: true,
          }),
          DetectorClusterModule.forRoot({
            redis: redis.url,
            keyPrefix: cluster.keyPrefix,
            workers: cluster.workers.map((worker) => ({
              url: workerAddress(worker),
              token: secrets.workerToken,
            })),
            secret: secrets.clusterSecret,
          }),
        ],
      },
      { logger },
    );
    const joined = app.get(DetectorCluster);
    joined.on('worker:online', (event) => note('events', event));
    joined.on('worker:offline', (event) => note('events', event));
    joined.on('worker:connecting', (event) => note('events', event));
    joined.on('worker:disconnected', (event) => note('events', event));
    joined.on('worker:websocket_error', (event) => note('events', event));
    joined.on('worker:state_report', (value) => note('events', value));
    return joined;
  }

  const subscriptionsOf = (backend: AppProcess) => async () =>
    ((await ask(backend, 'GET', '/api/cluster/subscriptions')) as { items: SubscriptionAnswer[] }).items;

  async function collect(backends: readonly AppProcess[]): Promise<void> {
    for (const backend of backends) {
      const { paths } = (await ask(backend, 'GET', '/api/openapi.json')) as {
        paths: Record<string, Record<string, object>>;
      };
      for (const [path, methods] of Object.entries(paths))
        if ('get' in methods)
          await ask(
            backend,
            'GET',
            path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name)),
          );
      for (const path of ['/metrics', '/health/ready', '/health/live']) await ask(backend, 'GET', path);
    }
    for (const process of [...cluster.backends, ...cluster.workers])
      texts.set(`log of ${process.name}`, await process.log());
    for (const [key, text] of await redisText(client)) texts.set(key, text);
  }

  it('of cameras, workers and models reach no log, key, command, event, metric or answer', async () => {
    const first = await cluster.addBackend(backendEnv());
    const fromDatabase = await fillDatabase(first);
    // The others have an unescaped slash, question mark or number sign, no host, or no scheme.
    expect(fromDatabase).toBe(1 + cameras.length - 5);
    await cluster.addBackend({ ...backendEnv(), ...otherEnv() });
    const joined = await joinCluster();
    await joined.subscribeToCamera(
      'display;explicit',
      `rtsp://viewer:${secrets.explicitPassword}@192.0.2.2/s`,
      `http://models.example.com/m.mpta?X-Amz-Signature=${secrets.modelSignature}`,
      1,
      'm',
      () => undefined,
    );
    await active('all to be active', fromDatabase + 1, subscriptionsOf(first));
    const page = await PageClient.open(first.url, greeting(secrets.apiKey));
    await waitFor('the page', TIMEOUT, () =>
      Object.keys(page.view?.subscriptions ?? {}).length === fromDatabase + 1 ? true : null,
    );
    note('page', [page.view, page.events, page.detections]);
    await page.close();
    await collect(cluster.backends);

    // A worker goes: its streams move, with all that is said about it. Then the masters go.
    await cluster.workers[0]!.crash();
    await cluster.workers[0]!.start();
    for (const backend of cluster.backends) await backend.crash();
    await waitFor('this process to be master', TIMEOUT, () =>
      app!.get(MasterElection).getIsMaster() ? true : null,
    );
    // It has no database: what that wants is not desired any more, what was asked for is.
    await active(
      'the explicit one to be active',
      1,
      async () => (await joined.getSubscriptions()).subscriptions,
    );
    note('state', await joined.getState());
    note('subscriptions', await joined.getSubscriptions());
    await collect([]);

    const sources = [...texts.keys()];
    for (const source of ['events', 'state', 'commands to Redis', 'log of backend-1', 'log of this process'])
      expect(sources).toContain(source);
    for (const name of ['requested_subscriptions', 'actual_subscriptions', 'worker:connections'])
      expect(sources.join('\n')).toContain(name);
    expect(texts.get('commands to Redis')).toContain('rtsp://***@192.0.2.2/s');
    expect(texts.get('GET /api/cameras')).toContain('192.0.2.1');
    expect(texts.get('commands to Redis')).toContain('sealed');
    expect(texts.get('page')).toContain('maker-');
    expect(findSecrets(texts, { ...secrets, ...makersSecrets })).toEqual([]);
  });

  it('would be found in any place and spelling', async () => {
    const secret = secrets.cameraPassword;
    await client
      .multi()
      .set('string', secret)
      .hset('hash', 'field', quoted(secret))
      .rpush('list', Buffer.from(`x:${secret}`).toString('base64'))
      .sadd('set', Buffer.from(`xy:${secret}z`).toString('base64'))
      .zadd('zset', 1, Buffer.from(`${secret}`).toString('hex'))
      .xadd('stream', '*', 'data', `{"rtspUrl":"rtsp://u:${secret}@h"}`)
      .exec();
    const stored = await redisText(client);
    const places = ['hash', 'list', 'set', 'stream', 'string', 'zset'].map(
      (key) => `redis ${key}: cameraPassword`,
    );
    expect(findSecrets(stored, secrets).sort()).toEqual(places);
    await waitFor('the monitor', TIMEOUT, () =>
      findSecrets(texts, secrets).includes('commands to Redis: cameraPassword') ? true : null,
    );
    // The worker repeats on a socket what it receives; the log of a process that prints a secret is read like any other.
    note('log of this process', `dialling ws://boss:${quoted(secrets.workerPassword)}@127.0.0.1`);
    expect(findSecrets(texts, secrets)).toContain('log of this process: workerPassword');
  });
});

function valueOf(parameter: string): string {
  if (/display/i.test(parameter)) return 'display';
  return /camera/i.test(parameter) ? 'cam' : '1';
}
