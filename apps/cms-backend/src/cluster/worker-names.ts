import type { DetectorCluster } from '@detector-cluster/detector-cluster';

/** Worker URL → what its operator calls it, for searches in records, which hold the URLs. Empty without a text to search for. */
export async function workerNames(
  cluster: Pick<DetectorCluster, 'getState'>,
  text: string,
): Promise<ReadonlyMap<unknown, string>> {
  if (text === '') return new Map();
  const { workers } = await cluster.getState();
  return new Map(workers.flatMap(({ url, name }) => (name === undefined ? [] : [[url, name]])));
}
