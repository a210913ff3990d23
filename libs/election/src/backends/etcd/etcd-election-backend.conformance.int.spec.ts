import { startEtcd, type GuardedServer } from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe } from 'vitest';
import { etcdHarness } from '../../test-support/etcd-harness.js';
import { describeElectionBackend } from '../../testing/describe-election-backend.js';

describe('on a private server', () => {
  let server: GuardedServer;
  beforeAll(async () => {
    server = await startEtcd();
  }, 60_000);
  afterAll(() => server.stop());

  describeElectionBackend('etcd', () => Promise.resolve(etcdHarness(server.url, () => server.restart())), {
    restartsStore: true,
  });
});
