/** Where an election keeps its things in etcd: all below `<lockName>/`. */
export interface EtcdElectionKeys {
  /** Prefix of the candidates' places, `<lease, hexadecimal>` each; the place that was taken first leads. */
  readonly candidates: string;
  /** Prefix of the keys that all candidates watch. */
  readonly state: string;
  /**
   * Who leads, as JSON: `{"version":1,"id":…,"term":…}`; it goes with the leader's lease, and is
   * left behind with `null` by one that hands over.
   */
  readonly leader: string;
  /** What is added to revisions so that terms rise, though etcd lost its data; without it, nothing. */
  readonly termOffset: string;
  /** The term whose leader is asked to resign. */
  readonly resignRequest: string;
}

export function etcdElectionKeys(lockName: string): EtcdElectionKeys {
  return {
    candidates: `${lockName}/candidates/`,
    state: `${lockName}/state/`,
    leader: `${lockName}/state/leader`,
    termOffset: `${lockName}/state/term-offset`,
    resignRequest: `${lockName}/requests/resign`,
  };
}
