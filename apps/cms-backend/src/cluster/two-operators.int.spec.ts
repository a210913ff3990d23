import { MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import { MasterElection } from '@detector-cluster/master-election';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorker } from '../../../detector-worker/src/fixtures/test-worker.fixture.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { startTestApp, type Answer, type TestApp } from '../test-app.fixture.js';

describe('two operators who press the same button at once, at different processes', () => {
  let database: TestDatabase;
  let worker: TestWorker;
  let apps: TestApp[] = [];

  beforeAll(async () => {
    [database, worker] = await Promise.all([createTestDatabase(), TestWorker.start()]);
    const prefix = `test-${randomUUID()}`;
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      DETECTOR_WORKERS: `ws://127.0.0.1:${worker.port}`,
      KEY_PREFIX: `${prefix}:`,
      LOCK_NAME: prefix,
    };
    apps = [await startTestApp(env), await startTestApp(env)];
    await eventually(async () => {
      expect((await apps[1]!.send('POST', '/api/cluster/regenerate')).status).toBe(200);
    });
  }, 2 * TIMEOUT);
  afterAll(async () => {
    for (const app of apps) await app.close();
    await worker?.stop();
    await database?.drop();
  });

  /** The two answers; the answer to the request that won comes first. */
  async function both(path: string, body: unknown): Promise<[Answer, Answer]> {
    const answers = await Promise.all(apps.map((app) => app.send('POST', `/api/cluster/${path}`, body)));
    const first = answers.findIndex(({ status, body }) => status === 200 && body.changed !== false);
    return [answers[first]!, answers[1 - first]!];
  }

  it('drain a worker once', async () => {
    const [first, second] = await both(`workers/127.0.0.1:${worker.port}/drain`, {});
    expect(first.body).toMatchObject({ accepted: true, changed: true, standing: 'draining' });
    expect(second).toMatchObject({ status: 200, body: { ...first.body, changed: false } });
  });

  it('drop a dead letter once', async () => {
    const { keys, redis } = apps[0]!.app.get(MasterSlaveWorkerCluster, { strict: false });
    const message = '{"workerUrl":"ws://w","data":{}}';
    const letter = `${await redis.xadd(keys.deadLetters, '*', 'message', message)}-l`;
    const [first, second] = await both('dead-letters/drop', { ids: [letter] });
    expect(first.body).toEqual({ dropped: 1, left: [], gone: [] });
    expect(expectProblem(second, 404).detail).toContain(letter);
  });

  it(
    'change the master once',
    async () => {
      const elections = apps.map(({ app }) => app.get(MasterElection, { strict: false }));
      const master = elections.find((election) => election.getIsMaster())!;
      const successor = elections.find((election) => election !== master)!;
      const { term } = master;
      const [first, second] = await both('master/resign', { term });
      expect(first.body).toEqual({ resigned: true, term, processId: master.getNodeId() });
      const problem = expectProblem(second, 409);
      expect(problem.code).toBe('MASTER_CHANGED');
      expect(problem.detail).toContain(`${successor.getNodeId()} is master in term ${successor.term}`);
    },
    2 * TIMEOUT,
  );
});
