import type { ActualCameraSubscription, DetectorCluster } from '@detector-cluster/detector-cluster';
import { contains, containsWords, type Page, pageOf } from '../http/pagination.js';
import type { SubscriptionsQuery } from './cluster.schema.js';
import { workerNames } from './worker-names.js';

/** As the `worker` of a query: none. */
const NO_WORKER = '-';

/** Subscriptions that match the query. */
export async function findSubscriptions(
  cluster: Pick<DetectorCluster, 'getState' | 'getSubscriptions'>,
  { status, worker = '', text = '', ...page }: SubscriptionsQuery,
): Promise<Page<ActualCameraSubscription>> {
  const names = await workerNames(cluster, text);
  const { subscriptions } = await cluster.getSubscriptions();
  const found = subscriptions.filter(
    (one) =>
      (status === undefined || status.includes(one.status)) &&
      (worker === NO_WORKER ? one.assignedWorkerUrl === '' : contains(one.assignedWorkerUrl, worker)) &&
      containsWords(
        [
          one.subscriptionIdentifier,
          one.assignedWorkerUrl,
          names.get(one.assignedWorkerUrl),
          one.reason,
          one.detail,
        ].join('\n'),
        text,
      ),
  );
  return pageOf(
    found,
    page,
    (one, field) => String(one[(field ?? 'subscriptionIdentifier') as keyof ActualCameraSubscription]),
    ({ subscriptionIdentifier }) => subscriptionIdentifier,
  );
}
