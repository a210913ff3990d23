import type { ClusterStateAnswer, SubscriptionsAnswer } from '@detector-cluster/local-cluster';

export const WIDTH = 80;

/** The contents of one picture of the cluster. */
export interface Snapshot {
  readonly seconds: number;
  readonly backends: readonly { name: string; url: string; processId: string | null; isMaster: boolean }[];
  readonly state: Pick<ClusterStateAnswer, 'workers' | 'assignments'> | null;
  readonly subscriptions: SubscriptionsAnswer | null;
  readonly detectionsPerSecond: number;
  readonly detections: number;
  readonly duplicates: number;
  /** Oldest first. */
  readonly events: readonly string[];
}

/** The picture as lines of at most 80 columns. Pure. */
export function render(snapshot: Snapshot): string[] {
  const { state, subscriptions } = snapshot;
  const master = snapshot.backends.find(({ isMaster }) => isMaster);
  const count = (status: string) =>
    subscriptions?.subscriptions.filter((s) => s.status === status).length ?? 0;
  const total = subscriptions?.subscriptions.length ?? 0;
  const lines = [
    `detector-cluster demo · ${Math.floor(snapshot.seconds)} s · Ctrl-C ends it`,
    '',
    `master         ${master ? `${master.name}  ${master.url}` : '(electing)'}`,
    ...dashboards(snapshot),
    `subscriptions  ${count('active')} of ${total} active` +
      others(['pending', 'recovering', 'failed'].map((status) => [status, count(status)])),
    `detections     ${snapshot.detectionsPerSecond.toFixed(1)}/s, ${snapshot.detections} delivered, ${snapshot.duplicates} twice`,
    '',
    'worker                  state      cpu  streams',
  ];
  for (const worker of state?.workers ?? []) {
    const cpu = worker.cpuUsage === null ? '-' : `${Math.round(worker.cpuUsage)}%`;
    lines.push(
      `${worker.url.padEnd(23)} ${worker.state.padEnd(9)} ${cpu.padStart(4)} ${String(worker.subscriptions.length).padStart(8)}`,
      `    ${worker.subscriptions.join('  ') || '(none)'}`,
    );
  }
  for (const { displayId, reason } of subscriptions?.skipped ?? [])
    lines.push('', `skipped        ${displayId}: ${reason}`);
  lines.push('', 'last events');
  lines.push(...snapshot.events.slice(-6).map((event) => `  ${event}`));
  return lines.map(clip);
}

/** The page is the same on each backend, so any running one is sufficient. */
function dashboards({ backends, state }: Snapshot): string[] {
  const owners = Object.values(state?.assignments ?? {});
  return backends.map(({ name, url, processId }, index) => {
    const partitions = owners.filter((owner) => owner === processId).length;
    const owns =
      partitions === 0 ? '' : `  owns ${partitions} ${partitions === 1 ? 'partition' : 'partitions'}`;
    return `${(index === 0 ? 'dashboard' : '').padEnd(15)}${name}  ${processId === null ? '(down)' : url + owns}`;
  });
}

function others(counts: [string, number][]): string {
  return counts.flatMap(([status, n]) => (n > 0 ? [`, ${n} ${status}`] : [])).join('');
}

function clip(line: string): string {
  return line.length <= WIDTH ? line : `${line.slice(0, WIDTH - 1)}…`;
}
