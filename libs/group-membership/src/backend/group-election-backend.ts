import { systemClock } from '@detector-cluster/election';
import type { Candidate, ElectionBackend, ElectionState } from '@detector-cluster/election';
import { Condition, pause, settlesWithin, toError } from '@detector-cluster/election/internal';
import { createGroupMember, type GroupOptions } from '../session/create-group-member.js';
import { AddressInUseError } from '../transport/join.error.js';
import type { GroupMember } from '../session/group-member.js';
import { examineGroupOptions, InvalidGroupOptionsError } from '../session/resolve-group-options.js';
import { isAtomic } from '../store/leader-store.js';

/** How long `close` waits for a campaign whose states are no longer read. Milliseconds. */
const TIMEOUT = 1_000;

/** Options of {@link GroupElectionBackend}: those of a member. The member's name is the candidate's id. */
export type GroupElectionOptions = Omit<GroupOptions, 'name'>;

/**
 * Elects within a group of processes that watch each other over WebSockets. Followers do not load the store. The leader renews its
 * record every `renewInterval` and may act until 98 % of `leaseTtl` after that. The group replaces a dead leader when it has detected
 * the failure and the record is unchanged for `leaseTtl`: by default after about 6 s. A leader that resigns or closes is replaced at
 * once.
 *
 * With `quorum` a leader that cannot reach a majority of the last known members steps down.
 *
 * Each campaign is a membership and begins by joining the group. The caller owns the store and may share it.
 */
export class GroupElectionBackend implements ElectionBackend {
  readonly name = 'group';
  readonly lockTtl: number;
  private readonly options: GroupElectionOptions;
  private readonly closing = new AbortController();
  private member: GroupMember | undefined;
  private ended: Promise<void> = Promise.resolve();

  /** @throws InvalidGroupOptionsError, also when the store has no compare-and-set. */
  constructor(options: GroupElectionOptions) {
    createGroupMember(options);
    if (!isAtomic(options.store))
      throw new InvalidGroupOptionsError([
        'store must have compare-and-set (read and swap) to elect by it; RedisLeaderStore and MemcachedLeaderStore have',
      ]);
    this.options = options;
    this.lockTtl = examineGroupOptions(options).options.leaseTtl;
  }

  /** This candidate's member while it competes. */
  get groupMember(): GroupMember | undefined {
    return this.member;
  }

  async *campaign(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    if (this.member) throw new Error('a campaign of this backend is already under way');
    const either = AbortSignal.any([signal, this.closing.signal]);
    const { member } = createGroupMember({ ...this.options, name: candidate.id });
    this.member = member;
    let ended!: () => void;
    this.ended = new Promise((resolve) => (ended = resolve));
    const states: ElectionState[] = [];
    const pushed = new Condition(systemClock);
    const report = (state: ElectionState) => {
      states.push(state);
      pushed.notify();
    };
    const joining = this.joinAndReport(member, report, either);
    let term: number | undefined;
    try {
      while (!either.aborted) {
        const state = states.shift();
        if (state === undefined) {
          await pushed.wait(Infinity, either);
          continue;
        }
        // An error does not end a term.
        if (state.role === 'leader') term = state.term;
        else if (state.role === 'follower') term = undefined;
        yield state;
      }
      // The current leader steps down when it reads this, before the store is updated.
      if (term !== undefined && !signal.aborted) yield { role: 'follower', leaderId: null, term };
    } finally {
      await member.stop();
      await joining;
      this.member = undefined;
      ended();
    }
  }

  async resign(): Promise<void> {
    await this.member?.resign();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await settlesWithin(this.ended, TIMEOUT);
    // A consumer that stops reading may still act as leader.
    await this.member?.stop({ release: false });
  }

  /** Tries to join until it is a member, then reports its states. Never rejects. */
  private async joinAndReport(
    member: GroupMember,
    report: (state: ElectionState) => void,
    signal: AbortSignal,
  ): Promise<void> {
    member.on('lease', (lease) => report({ role: 'leader', ...lease }));
    member.on('lost', ({ term, reason }) => report({ role: 'follower', leaderId: null, term, reason }));
    member.on('leader', ({ id, name, term }) => {
      if (id === 0) report({ role: 'follower', leaderId: null, term });
      else if (id !== member.id) report({ role: 'follower', leaderId: name, term });
    });
    member.on('error', (error) => report({ role: 'error', error }));
    while (!signal.aborted)
      try {
        return await member.start();
      } catch (error) {
        report({ role: 'error', error: toError(error) });
        const wait = error instanceof AddressInUseError ? (this.options.busyWait ?? 5_000) : 1_000;
        await pause(wait, systemClock, signal);
      }
  }
}
