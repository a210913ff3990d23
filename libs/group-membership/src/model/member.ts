/**
 * `suspect`: it did not answer, and can still say that it lives. `failed` and `departed` are final for an id: a process that
 * comes back gets another.
 */
export type MemberStatus = 'alive' | 'suspect' | 'failed' | 'departed';

/** One member of the group, as another one knows it. */
export interface Member {
  /** Given by the leader when it joined; never given twice in a group. */
  readonly id: number;
  /** `host:port` at which it accepts messages. */
  readonly address: string;
  /** Of this start of the process. */
  readonly boot: string;
  readonly status: MemberStatus;
  /** Raised by the member itself, to refute a suspicion. */
  readonly incarnation: number;
}

/** Whether it takes part: it is not known to have ended. */
export function isActive(member: Pick<Member, 'status'> | undefined): boolean {
  return member !== undefined && (member.status === 'alive' || member.status === 'suspect');
}
