import { systemClock, type Clock, type Elector, type ElectionState } from '@detector-cluster/election';
import type { ResolvedMasterElectionOptions } from '../options/master-election-options.js';
import type { MasterElectionStatus } from './master-election-status.js';

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
