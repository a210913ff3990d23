import { startPostgres, type PostgresService } from '@detector-cluster/dev-services';
import { waitFor, type LocalCluster } from '@detector-cluster/local-cluster';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allActive, masterOf, TIMEOUT, useClusters } from './support/cluster.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const statusOf = (cluster: LocalCluster, camera: string) =>
  waitFor(`the status of ${camera}`, TIMEOUT, async () => {
    const { subscriptions } = await cluster.subscriptions();
    return subscriptions.find(({ subscriptionIdentifier }) => subscriptionIdentifier.endsWith(`;${camera}`));
  });

describe('a take-over while Postgres is unavailable', () => {
  const startCluster = useClusters();
  let postgres: PostgresService;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, TIMEOUT);
  afterAll(() => postgres.stop(), TIMEOUT);

  it('leaves every stream where it runs; what has to move and cannot be sent waits for the database, and says so', async () => {
    const cluster = await startCluster({ backends: 2, workers: 2, databaseUrl: postgres.url });
    const count = await allActive(cluster);
    const master = await masterOf(cluster);
    const { assignedWorkerUrl } = await statusOf(cluster, 'cam-003');
    const commands = await cluster.commandsTaken();

    await postgres.kill();
    await master.crash();
    cluster.backends.splice(cluster.backends.indexOf(master), 1);
    await masterOf(cluster);
    await allActive(cluster, count);
    expect(await cluster.commandsTaken()).toBe(commands);

    const host = cluster.workers.find((worker) => cluster.workerUrl(worker) === assignedWorkerUrl)!;
    await host.crash();
    // The reference service also keeps in the database where the file of a model is.
    const reasons = new Set(['streaming', 'model-url-unavailable']);
    await waitFor(
      'the reasons to be said',
      TIMEOUT,
      async () => {
        const { subscriptions } = await cluster.subscriptions();
        const isRight = subscriptions.every(({ subscriptionIdentifier, reason }) =>
          subscriptionIdentifier.endsWith(';cam-003')
            ? reason === 'credentials-unavailable'
            : reasons.has(reason),
        );
        return isRight ? true : null;
      },
      async () => JSON.stringify(await cluster.subscriptions()),
    );

    await postgres.start();
    await allActive(cluster, count);
    expect((await statusOf(cluster, 'cam-003')).assignedWorkerUrl).not.toBe(assignedWorkerUrl);
  });
});
