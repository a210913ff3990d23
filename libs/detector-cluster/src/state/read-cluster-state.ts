import type { MasterElection } from '@detector-cluster/master-election';
import type { DetectorClusterState } from '../model/cluster-state.js';
import type { ReportedState } from '../workers/worker-pool.js';
import { copiesOf, toSlaveStates, type ClusterView } from './cluster-view.js';

/** What a process knows of itself, without asking anyone: no workers and no slaves. */
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
 * The cluster as the master last described it. Rejects while Redis is unavailable.
 * @param own what this process knows of the workers as master; null when it is not
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
