import { type Clock, type ElectionState, type Elector, systemClock } from '@detector-cluster/election';
import type { ResolvedMasterElectionOptions } from '../shared/master-election-options.js';
import type { ProcessRole } from '../shared/process-info.js';

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

interface StatusTrackerOptions {
  readonly election: Pick<ResolvedMasterElectionOptions, 'name' | 'lockTtl'>;
  /** Called when a confirmation of the lease arrives, `latency` ms after its request was sent. */
  readonly onRenewed: (renewal: { term: number; latency: number }) => void;
  readonly clock?: Clock;
}

/** Follows an election and provides its status at any time, see {@link MasterElectionStatus}. */
export class StatusTracker {
  private readonly clock: Clock;
  private elector: Elector | undefined;
  private leaderlessSince: number | null;
  private hasKnownLeader = false;
  private failingSince: number | null = null;
  private confirmation: { readonly term: number; readonly sentAt: number } | undefined;

  constructor(private readonly options: StatusTrackerOptions) {
    this.clock = options.clock ?? systemClock;
    this.leaderlessSince = this.clock.now();
  }

  /** Follows the election of this elector from now on. */
  follow(elector: Elector): void {
    this.elector = elector;
    elector.on('acquired', () => this.led(true));
    elector.on('lost', () => this.led(false));
    elector.on('follower', ({ leaderId }) => this.led(leaderId !== null));
  }

  /** The election continues without this process. */
  leave(): void {
    this.elector = undefined;
    this.failingSince = null;
    this.led(false);
  }

  /** Records a state that the backend reported. */
  observe(state: ElectionState): void {
    if (state.role === 'error') {
      this.failingSince ??= this.clock.now();
      return;
    }
    this.failingSince = null;
    if (state.role !== 'leader' || state.sentAt === undefined) return;
    const { term, sentAt } = state;
    this.confirmation = { term, sentAt };
    this.options.onRenewed({ term, latency: Math.max(0, this.clock.now() - sentAt) });
  }

  read(): MasterElectionStatus {
    const { name, lockTtl } = this.options.election;
    const lease = this.elector?.lease ?? null;
    const { confirmation } = this;
    return {
      name,
      role: lease ? 'master' : 'slave',
      mayAct: lease?.isValid() ?? false,
      term: this.elector?.term ?? 0,
      leaderId: this.elector?.leaderId ?? null,
      leaderlessFor: this.since(this.leaderlessSince),
      hasKnownLeader: this.hasKnownLeader,
      storeFailingFor: this.since(this.failingSince),
      leaseAge: lease && confirmation?.term === lease.term ? this.since(confirmation.sentAt) : null,
      lockTtl,
    };
  }

  private led(somebodyLeads: boolean): void {
    if (somebodyLeads) {
      this.hasKnownLeader = true;
      this.leaderlessSince = null;
    } else this.leaderlessSince ??= this.clock.now();
  }

  private since(instant: number | null): number | null {
    return instant === null ? null : Math.max(0, this.clock.now() - instant);
  }
}
