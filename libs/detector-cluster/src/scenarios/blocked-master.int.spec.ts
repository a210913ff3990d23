import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { NestFactory } from '@nestjs/core';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { until } from '../../../../test/support/until.js';
import { DetectorCluster } from '../node/detector-cluster.js';
import { DetectorClusterModule } from '../nest/detector-cluster.module.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

it('a master whose planning blocks the process for 2 s may not act in that time, and stays master', async () => {
  const redis = process.env.REDIS_URL!;
  const prefix = randomPrefix();
  const worker = await PlainWorker.start();
  closing.push(() => worker.stop());
  let election!: MasterElection;
  const validAfterBlock: boolean[] = [];
  const block = () => {
    if (validAfterBlock.length > 0) return {};
    const until = performance.now() + 2_000;
    while (performance.now() < until);
    validAfterBlock.push(election.lease!.isValid());
    return {};
  };
  class TestModule {}
  const app = await NestFactory.createApplicationContext(
    {
      module: TestModule,
      imports: [
        MasterElectionModule.forRoot({ redis, lockName: `${prefix}election`, isGlobal: true }),
        DetectorClusterModule.forRoot({ redis, keyPrefix: prefix, workers: [worker.url], placement: block }),
      ],
    },
    { logger: false },
  );
  closing.push(() => app.close());
  election = app.get(MasterElection);
  await election.waitForElectionComplete();
  const { term } = election;
  expect(election.getIsMaster()).toBe(true);

  const script = new URL('../../../../test/support/dist/cluster-child.js', import.meta.url);
  const follower = fork(script, [JSON.stringify({ redis, prefix, workers: [worker.url] })], { execArgv: [] });
  const exited = once(follower, 'exit');
  closing.push(async () => {
    follower.kill('SIGKILL');
    await exited;
  });
  const messages: unknown[] = [];
  follower.on('message', (message) => void messages.push(message));
  await once(follower, 'message');

  const cluster = app.get(DetectorCluster);
  // A command of this process may time out while the process is blocked.
  const subscribe = () =>
    cluster.subscribeToCamera('d1;c1', 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
  await subscribe().catch(subscribe);
  const status = async () => (await cluster.getSubscriptions()).subscriptions[0]?.status;
  await until(async () => (await status().catch(() => null)) === 'active');
  expect(validAfterBlock).toEqual([false]);
  expect(election.term).toBe(term);
  expect(election.lease?.isValid()).toBe(true);
  expect(messages).toEqual(['started']);
});
