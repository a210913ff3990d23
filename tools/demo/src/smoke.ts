import {
  AcceptanceMonitor,
  DetectionTally,
  lostDetections,
  waitFor,
  type LocalCluster,
} from '@detector-cluster/local-cluster';

/** The one line that the smoke run prints. */
export interface SmokeResult {
  ok: boolean;
  /** Numbers of started backends and workers. */
  processes: number;
  workers: number;
  /** Subscriptions that were active before and after the fail-over. */
  subscriptions: number;
  detectionsDelivered: number;
  /** Time from SIGKILL of the master until another process reports that it is master. */
  failoverMs: number;
  /** Time from SIGKILL of the master to the first callback of a detection that its successor has read. */
  detectionGapMs: number;
  /** Detections that Redis had accepted but that reached no callback. */
  lostAfterReceipt: number;
  /** Deliveries beyond the first of a detection. */
  duplicates: number;
  /** Subscribe and unsubscribe commands that workers received because of the failover. */
  resubscribesOnFailover: number;
  error?: string;
}

const DETECTIONS_BEFORE = 50;
const DETECTIONS_AFTER = 50;

/**
 * Kills the master of a working cluster with SIGKILL and checks that another takes over, that detections continue, and that
 * no accepted detection is lost.
 */
export async function smoke(cluster: LocalCluster): Promise<SmokeResult> {
  const result: SmokeResult = {
    ok: false,
    processes: cluster.backends.length + cluster.workers.length,
    workers: cluster.workers.length,
    subscriptions: 0,
    detectionsDelivered: 0,
    failoverMs: -1,
    detectionGapMs: -1,
    lostAfterReceipt: -1,
    duplicates: -1,
    resubscribesOnFailover: -1,
  };
  const monitor = new AcceptanceMonitor(cluster.redis.url, cluster.keyPrefix);
  const tally = new DetectionTally();
  try {
    await monitor.start();
    await steady(cluster, tally, DETECTIONS_BEFORE);
    const master = await cluster.untilMaster(5_000);
    const commandsBefore = await cluster.commandsTaken();

    const killedAt = performance.now();
    await master.crash();
    const termsBefore = termsOf(monitor);
    const survivors = cluster.backends.filter((backend) => backend !== master);
    const watching = waitFor('detections of a new term', 30_000, async () => {
      await tally.poll(survivors);
      return isDeliveredAfter(termsBefore, monitor, tally) && performance.now();
    });
    await cluster.untilMaster(20_000, master);
    result.failoverMs = Math.round(performance.now() - killedAt);
    result.detectionGapMs = Math.round((await watching) - killedAt);

    await steady(cluster, tally, tally.total + DETECTIONS_AFTER);
    result.resubscribesOnFailover = (await cluster.commandsTaken()) - commandsBefore;
    result.subscriptions = (await cluster.active()) ?? 0;
    result.lostAfterReceipt = (await lostDetections(cluster, monitor, tally, 10_000)).length;
    result.detectionsDelivered = tally.total;
    result.duplicates = tally.duplicates;
    result.ok = result.lostAfterReceipt === 0 && result.resubscribesOnFailover === 0 && !tally.missed;
  } catch (error) {
    result.error = (error as Error).message;
  } finally {
    monitor.stop();
  }
  return result;
}

/** Terms of the masters that had detections accepted: the first part of an entry's id. */
const termsOf = ({ accepted }: AcceptanceMonitor) =>
  new Set(Array.from(accepted.values(), ({ entry }) => entry.split('-')[0]));

function isDeliveredAfter(
  terms: ReadonlySet<string | undefined>,
  { accepted }: AcceptanceMonitor,
  { deliveries }: DetectionTally,
): boolean {
  return [...accepted].some(([id, { entry }]) => !terms.has(entry.split('-')[0]) && deliveries.has(id));
}

/** Waits until every subscription is active and has delivered, and this many detections have arrived in total. */
async function steady(cluster: LocalCluster, tally: DetectionTally, detections: number): Promise<void> {
  await waitFor(
    `all subscriptions active and ${detections} detections delivered`,
    30_000,
    async () => {
      await tally.poll(cluster.backends);
      const count = await cluster.active();
      return count !== null && tally.bySubscription.size >= count && tally.total >= detections;
    },
    async () => JSON.stringify(await cluster.subscriptions().catch(() => null)),
  );
}
