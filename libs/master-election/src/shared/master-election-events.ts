import type { AcquisitionReason, LossReason } from '@detector-cluster/election';
import type { SlaveNode } from './process-info.js';

/** Events of `MasterElection`, with the arguments of their listeners. */
export interface MasterElectionEvents {
  /** This process became master. Strictly alternates with `master-lost`. */
  'master-acquired': [leadership: { term: number; reason: AcquisitionReason }];
  /** This process stopped being master; its lease is already invalid and its signal aborted. */
  'master-lost': [leadership: { term: number; reason: LossReason }];
  /** Still master, but may not act until `master-resumed`: the store has not confirmed the lease in time. */
  'master-suspended': [leadership: { term: number }];
  /** The lease is confirmed again, in the same term. */
  'master-resumed': [leadership: { term: number }];
  /** A confirmation of the lease came back, `latency` ms after it was sent: at the default timing ten times a second. */
  'lease-renewed': [renewal: { term: number; latency: number }];
  /**
   * The store does not see the process of the master, another one, any more: this process may soon replace it. Only with the default
   * backend and `crashDetection: 'presence'`.
   */
  'master-absent': [];
  /** There is no leader, as far as this process knows. */
  'election-started': [];
  /** There is a leader again: this process or another. */
  'election-completed': [isMaster: boolean];
  /** On the master only: a process joined. At the start of a term emitted once for each existing process. */
  'slave-registered': [slave: SlaveNode];
  /** On the master only: a process left, expired or died. */
  'slave-removed': [nodeId: string];
  /** The store failed or refused. Everything is retried; without a listener it is logged instead. */
  error: [error: Error];
}
