import {
  DetectionTally,
  get,
  type ClusterStateAnswer,
  type LocalCluster,
  type SubscriptionsAnswer,
} from '@detector-cluster/local-cluster';
import type { Snapshot } from './view.js';

/** Milliseconds over which detections per second are counted. */
const RATE_WINDOW = 5_000;

/** Polls a running cluster through its API, and turns the differences between two polls into events. */
export class Observer {
  readonly tally = new DetectionTally();
  private readonly events: string[] = [];
  private readonly startedAt = performance.now();
  private history: { at: number; total: number }[] = [];
  private previous: Snapshot | null = null;

  constructor(
    private readonly cluster: LocalCluster,
    private readonly onEvent: (event: string) => void = () => undefined,
  ) {}

  async look(): Promise<Snapshot> {
    const [states, subscriptions] = await Promise.all([
      Promise.all(
        this.cluster.backends.map(({ url }) =>
          get<ClusterStateAnswer>(url, '/api/cluster/state').catch(() => null),
        ),
      ),
      this.cluster.subscriptions().catch((): SubscriptionsAnswer | null => null),
      this.tally.poll(this.cluster.backends),
    ]);
    const now = performance.now();
    this.history.push({ at: now, total: this.tally.total });
    this.history = this.history.filter(({ at }) => at >= now - RATE_WINDOW);
    const [first] = this.history as [{ at: number; total: number }];
    const seconds = (now - first.at) / 1_000;
    const snapshot: Snapshot = {
      seconds: (now - this.startedAt) / 1_000,
      backends: this.cluster.backends.map(({ name, url }, i) => ({
        name,
        url,
        processId: states[i]?.processId ?? null,
        isMaster: states[i]?.isMaster ?? false,
      })),
      state: states.find((state) => state !== null && state.workers.length > 0) ?? null,
      subscriptions,
      detectionsPerSecond: seconds > 0 ? (this.tally.total - first.total) / seconds : 0,
      detections: this.tally.total,
      duplicates: this.tally.duplicates,
      events: this.events,
    };
    for (const event of changes(this.previous, snapshot)) {
      const line = `${snapshot.seconds.toFixed(1).padStart(6)} s  ${event}`;
      this.events.push(line);
      this.onEvent(line);
    }
    this.previous = snapshot;
    return snapshot;
  }
}

/** Describes the changes between two polls in words. Pure. */
function changes(before: Snapshot | null, after: Snapshot): string[] {
  const events: string[] = [];
  const [was, is] = [masterOf(before), masterOf(after)];
  if (was !== is) events.push(is === null ? `${was} is no longer master` : `${is} is master`);
  for (const { name, processId } of after.backends) {
    const earlier = before?.backends.find((backend) => backend.name === name);
    if (earlier && (earlier.processId === null) !== (processId === null))
      events.push(processId === null ? `${name} is gone` : `${name} answers`);
  }
  for (const worker of after.state?.workers ?? []) {
    const earlier = before?.state?.workers.find(({ url }) => url === worker.url);
    if (earlier?.state !== worker.state) events.push(`${worker.url} is ${worker.state}`);
  }
  const placed = new Map(before?.subscriptions?.subscriptions.map((s) => [s.subscriptionIdentifier, s]));
  for (const { subscriptionIdentifier, assignedWorkerUrl, status, reason } of after.subscriptions
    ?.subscriptions ?? []) {
    const earlier = placed.get(subscriptionIdentifier);
    if (earlier?.status === status && earlier.assignedWorkerUrl === assignedWorkerUrl) continue;
    const where = assignedWorkerUrl === '' ? '' : ` on ${assignedWorkerUrl.replace('ws://', '')}`;
    events.push(`${subscriptionIdentifier} ${status}${where} (${reason})`);
  }
  return events;
}

const masterOf = (snapshot: Snapshot | null): string | null =>
  snapshot?.backends.find(({ isMaster }) => isMaster)?.name ?? null;
