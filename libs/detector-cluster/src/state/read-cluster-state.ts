import type { MasterElection } from '@detector-cluster/master-election';
import type { DetectorClusterState } from '../model/cluster-state.js';
import type { ReportedState } from '../workers/worker-pool.js';
import { copiesOf, toSlaveStates, type ClusterView } from './cluster-view.js';

/** The state that a process knows without any request: no workers and no slaves. */
export function ownState(election: MasterElection): DetectorClusterState {
  const processId = election.getNodeId();
  return {
    processId,
    isMaster: election.getIsMaster(),
    slaveId: processId,
    totalWorkers: 0,
    totalSlaves: 0,
    workers: [],
    slaves: [],
    assignments: {},
    asOf: null,
    stale: true,
  };
}

/**
 * The cluster state that the master last wrote. Rejects while Redis is unavailable.
 * @param own this process's own view of the workers if it is master; otherwise null
 */
export async function readClusterState(
  view: ClusterView,
  election: MasterElection,
  own: readonly ReportedState[] | null,
): Promise<DetectorClusterState> {
  const [workers, assignments, nodes, freshness] = await Promise.all([
    own === null ? view.workers() : copiesOf(own),
    view.assignments(),
    election.getSlaves(),
    own === null ? view.freshness() : { asOf: new Date().toISOString(), stale: false },
  ]);
  const slaves = toSlaveStates(nodes, assignments);
  return {
    ...ownState(election),
    totalWorkers: workers.length,
    totalSlaves: slaves.length,
    workers,
    slaves,
    assignments,
    ...freshness,
  };
}
