/**
 * `suspect`: the member did not answer, but can still refute that. `failed` and `departed` are final for an id: a process that
 * comes back gets a new id.
 */
export type MemberStatus = 'alive' | 'suspect' | 'failed' | 'departed';

/** One member of the group, as another member knows it. */
export interface Member {
  /** Assigned by the leader when the member joined; never used twice in a group. */
  readonly id: number;
  /** `host:port` at which it accepts messages. */
  readonly address: string;
  /** Identifies this start of the process. */
  readonly boot: string;
  readonly status: MemberStatus;
  /** Raised by the member itself, to refute a suspicion. */
  readonly incarnation: number;
}

/** Whether it takes part: it is not known to have ended. */
export function isActive(member: Pick<Member, 'status'> | undefined): boolean {
  return member !== undefined && (member.status === 'alive' || member.status === 'suspect');
}
