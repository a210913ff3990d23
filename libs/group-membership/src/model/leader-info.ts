/** The leader, as members tell each other. */
export interface LeaderInfo {
  /** 0: none, because the leader of this term gave up. */
  readonly id: number;
  readonly address: string;
  /** The candidate's name. */
  readonly name: string;
  readonly term: number;
  /** Revision of the leader's record in the store; increases with every renewal. */
  readonly revision: number;
  /** While there is no leader: the member that gave up and lets others go first; 0 for none. */
  readonly barred: number;
}

/** Whether `info` is more recent than `known`. */
export function isNewer(info: LeaderInfo, known: LeaderInfo | null): boolean {
  if (!known) return true;
  return info.term > known.term || (info.term === known.term && info.revision > known.revision);
}
