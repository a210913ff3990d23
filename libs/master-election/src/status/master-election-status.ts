import type { ProcessRole } from '../model/process-info.js';

/** Status of an election as a process knows it at one instant, without a request. All durations in milliseconds. */
export interface MasterElectionStatus {
  /** Which election of the application: `default`, or the name given to `forFeature`. */
  readonly name: string;
  readonly role: ProcessRole;
  /** Whether this process may act as master at this instant; not while it is suspended. */
  readonly mayAct: boolean;
  /** The highest term seen; 0 before the first. */
  readonly term: number;
  /** Node id of the master with the id of its start; `null` while there is none. */
  readonly leaderId: string | null;
  /** How long there has been no leader since this process started, as far as it knows; `null` while there is one. */
  readonly leaderlessFor: number | null;
  /** Whether this process has known a leader since its start. */
  readonly hasKnownLeader: boolean;
  /** How long the store has failed or refused without a success; `null` while it answers. */
  readonly storeFailingFor: number | null;
  /** On the master: time since the last confirmed renewal of its lease was sent, if the backend reports it. Otherwise `null`. */
  readonly leaseAge: number | null;
  /** How long a lease lasts without confirmation. */
  readonly lockTtl: number;
}
