import type { RegisteredProcess } from '@detector-cluster/master-election';
import type { Workloads } from '@detector-cluster/delivery/internal';

/** The processes that handle detections. */
export interface ClusterMembers {
  /** Slaves, sorted. A master without slaves handles detections itself. */
  readonly ids: readonly string[];
  /** The preferred workload of each process; 0 if it cannot process detections. */
  readonly workloads: Workloads;
  /** Processes that may not run; see `MasterElection.getAbsent`. */
  readonly absent: ReadonlySet<string>;
}

/** @param self the id of the master */
export function membersOf(
  processes: readonly RegisteredProcess[],
  self: string,
  absent: ReadonlySet<string>,
): ClusterMembers {
  const ids = processes.filter(({ role }) => role === 'slave').map(({ nodeId }) => nodeId);
  const workloads = processes.map(({ nodeId, capabilities }) => {
    const { canProcessDetections, preferredWorkload } = capabilities;
    return [nodeId, canProcessDetections ? Math.max(1, preferredWorkload) : 0] as const;
  });
  return { ids: ids.length > 0 ? ids.sort() : [self], workloads: new Map(workloads), absent };
}
