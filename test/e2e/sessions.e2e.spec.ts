import { get, getSubscriptions, request, waitFor } from '@detector-cluster/local-cluster';
import { expect, it, vi } from 'vitest';
import { allActive, masterOf, TIMEOUT, useClusters } from './support/cluster.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

interface Session {
  readonly sessionId: number;
  readonly data: { readonly displayIdentifier: string; readonly lastSeen: string };
  readonly workerUrl: string;
  readonly patches: number;
  readonly updatedAt: string;
}

const startCluster = useClusters();

it('every process shows what workers report about a session, under each master', async () => {
  const cluster = await startCluster({ backends: 2, workerEnv: { PATCH_SESSION_EVERY_MS: '50' } });
  await allActive(cluster);
  const master = await masterOf(cluster);
  const other = cluster.backends.find((backend) => backend !== master)!;
  const { subscriptions } = await getSubscriptions(other.url);
  const { subscriptionIdentifier, assignedWorkerUrl } = subscriptions[0]!;
  const path = `/api/cluster/subscriptions/${encodeURIComponent(subscriptionIdentifier)}/session`;
  await request(other.url, 'PUT', path, { sessionId: 42 }, TIMEOUT);

  const session = (url: string) => get<Session>(url, '/api/sessions/42', TIMEOUT);
  const beyond = (url: string, patches: number) =>
    waitFor('more patches', TIMEOUT, async () => {
      const seen = await session(url).catch(() => null);
      return seen !== null && seen.patches > patches ? seen : null;
    });
  const first = await beyond(master.url, 0);
  expect(first).toMatchObject({
    sessionId: 42,
    data: { displayIdentifier: subscriptionIdentifier.split(';')[0] },
    workerUrl: assignedWorkerUrl,
  });
  const { patches } = await beyond(other.url, first.patches);

  await master.crash();
  await masterOf(cluster, master);
  const last = await beyond(other.url, patches + 5);
  expect(last.data.lastSeen > first.data.lastSeen).toBe(true);
  const { items } = await get<{ items: Session[] }>(other.url, '/api/sessions', TIMEOUT);
  expect(items.map(({ sessionId }) => sessionId)).toEqual([42]);
});
