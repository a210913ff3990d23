import { Logger } from '@nestjs/common';
import type { ElectionState, Elector, Lease } from '@detector-cluster/election';
import { SafeEmitter } from '@detector-cluster/election/internal';
import type { MasterElectionEvents } from '../shared/master-election-events.js';
import { DEFAULT_ELECTION_NAME } from '../shared/resolve-options.js';
import type { ResolvedMasterElectionOptions } from '../shared/master-election-options.js';
import { type MasterElectionStatus, StatusTracker } from './status-tracker.js';
import { ElectionRounds } from './election-rounds.js';
import { FormatLevelError } from '../shared/errors.js';
import { LogLimit } from '../shared/log-limit.js';

const LOGGER = 'MasterElection';

/** An error that persists is logged again at this interval. Milliseconds. */
const REPEAT_INTERVAL = 30_000;

/** Tracks the election of this process and reports the leader, and every change of leader, to the application. */
export abstract class ElectionParticipant extends SafeEmitter<MasterElectionEvents> {
  protected readonly logger: Logger;
  protected readonly rounds = new ElectionRounds();
  /** This process no longer takes part, so it does not report that there is no leader. */
  protected leaving = false;
  /** Of the errors of an outage of the store. */
  private readonly logLimit = new LogLimit(REPEAT_INTERVAL);
  private readonly status: StatusTracker;
  private elector: Elector | undefined;

  constructor(
    private readonly election: Pick<ResolvedMasterElectionOptions, 'name' | 'lockTtl' | 'backend'>,
  ) {
    super();
    const { name, backend, lockTtl } = election;
    this.logger = new Logger(name === DEFAULT_ELECTION_NAME ? LOGGER : `${LOGGER}:${name}`);
    this.status = new StatusTracker({
      election: { name, lockTtl: backend?.lockTtl ?? lockTtl },
      onRenewed: (renewal) => this.fire('lease-renewed', renewal),
    });
  }

  /** Which election of the application this is: `default`, or the name given to `forFeature`. */
  get name(): string {
    return this.election.name;
  }

  /** The current term of this process as master, also while it is suspended; `null` on a slave. */
  get lease(): Lease | null {
    return this.elector?.lease ?? null;
  }

  /** The highest term that this process has seen; 0 before the first. A large number: milliseconds since 1970. */
  get term(): number {
    return this.elector?.term ?? 0;
  }

  /**
   * The master, as far as this process knows without a request: its node id, followed by `:<boot id>` if an option set the node
   * id; `null` when there is none.
   */
  get masterId(): string | null {
    return this.elector?.leaderId ?? null;
  }

  /** Whether this process is master. Before acting as master ask `lease.isValid()`: it is false while suspended. */
  getIsMaster(): boolean {
    return this.lease !== null;
  }

  /** Status of the election as this process knows it, for health checks and metrics. Sends no request. */
  getStatus(): MasterElectionStatus {
    return this.status.read();
  }

  /** Resolves when there is a leader: true if it is this process. */
  waitForElectionComplete(timeoutMs: number): Promise<boolean> {
    return this.rounds.wait(timeoutMs);
  }

  /** @internal Reports an error from outside the election. */
  report(error: Error): void {
    this.fire('error', error);
  }

  /** Follows the election of this elector. The caller must pass the states of its backend to `observe`. */
  protected follow(elector: Elector): void {
    this.elector = elector;
    this.status.follow(elector);
    elector.on('acquired', (leadership) => {
      this.logger.log(`master since now, term ${leadership.term} (${leadership.reason})`);
      this.fire('master-acquired', leadership);
      this.complete(true);
    });
    elector.on('lost', (leadership) => {
      this.logger.log(`no longer master, term ${leadership.term} (${leadership.reason})`);
      this.fire('master-lost', leadership);
      if (!this.leaving) this.begin();
    });
    elector.on('suspended', (leadership) => this.fire('master-suspended', leadership));
    elector.on('resumed', (leadership) => this.fire('master-resumed', leadership));
    elector.on('follower', ({ leaderId }) => (leaderId === null ? this.begin() : this.complete(false)));
    elector.on('recovered', () => {
      if (this.logLimit.clear()) this.logger.log('the store answers again');
    });
    elector.on('error', (error) => this.fire('error', error));
  }

  protected observe(state: ElectionState): void {
    this.status.observe(state);
    if (state.role === 'follower' && state.absent) this.fire('master-absent');
  }

  /** There is no leader, as far as this process knows. */
  protected begin(): void {
    if (this.rounds.begin()) this.fire('election-started');
  }

  /** The election continues without this process. */
  protected forget(): void {
    this.elector = undefined;
    this.status.leave();
  }

  protected unheard(error: Error): void {
    const { name, message } = error;
    // It is not tried again.
    if (error instanceof FormatLevelError) this.logger.error(message);
    // The message of a named error can vary, for example with a countdown.
    else if (this.logLimit.passes(name === 'Error' ? message : name))
      this.logger.warn(`${message}; trying again`);
  }

  private complete(isMaster: boolean): void {
    if (this.rounds.complete(isMaster)) this.fire('election-completed', isMaster);
  }
}
