import { randomUUID } from 'node:crypto';
import {
  RedisElectionBackend,
  type RedisElectionOptions,
  type RedisSource,
} from '../backends/redis/index.js';
import { checkHistory } from '../testing/check-history.js';
import { eventually } from '../testing/eventually.js';
import { Participant } from '../testing/participant.js';

/** A candidate of a group, with all that it has complained about. */
export class GroupMember extends Participant {
  readonly errors: (Error & { readonly code?: string })[] = [];
  recoveries = 0;

  constructor(
    backend: RedisElectionBackend,
    readonly warnings: readonly string[],
  ) {
    super(backend);
    this.elector.on('error', (error) => this.errors.push(error));
    this.elector.on('recovered', () => this.recoveries++);
  }

  /** The codes of its errors, each once. */
  get codes(): Set<string | undefined> {
    return new Set(this.errors.map(({ code }) => code));
  }
}

/** Candidates of one election on Redis, wherever each of them finds it. */
export class ElectionGroup {
  readonly members: GroupMember[] = [];

  constructor(readonly lockName = `{group-${randomUUID()}}`) {}

  join(redis: RedisSource, options: Partial<RedisElectionOptions> = {}): GroupMember {
    const warnings: string[] = [];
    const { lockName } = this;
    const onWarning = (message: string) => warnings.push(message);
    const member = new GroupMember(
      new RedisElectionBackend({ redis, lockName, onWarning, ...options }),
      warnings,
    );
    this.members.push(member);
    member.elector.start();
    return member;
  }

  /** Waits until one of the members, or of `among`, may act as leader. */
  leader(within: number, among: readonly GroupMember[] = this.members): Promise<GroupMember> {
    return eventually('a leader', within, () => among.find(({ leads }) => leads));
  }

  /** Waits until all members but the leader know it and its term. A leader can be elected again under the same id. */
  async followers(within: number): Promise<GroupMember[]> {
    const leader = await this.leader(within);
    const others = this.members.filter((member) => member !== leader);
    await eventually('all follow', within, () =>
      others.every(({ elector }) => elector.leaderId === leader.id && elector.term === leader.elector.term),
    );
    return others;
  }

  /** Ends all members. Returns the violations in the history of their grants. */
  async close(): Promise<string[]> {
    await Promise.all(this.members.map(({ elector }) => elector.stop()));
    await Promise.all(this.members.map(({ backend }) => backend.close()));
    return checkHistory(this.members.splice(0).flatMap(({ grants }) => grants));
  }
}
