/** A fault of one running candidate: 0 is the leader, the others follow. */
interface CandidateFault {
  readonly who: number;
}

interface Lasting {
  /** Milliseconds. */
  readonly lasts: number;
}

/** A failure, or an action of an operator. */
export type Fault =
  | ({
      readonly kind: 'cut';
      readonly what: 'commands' | 'presence' | 'both';
      readonly forgotten: boolean;
    } & CandidateFault &
      Lasting)
  | ({
      readonly kind: 'freeze';
      readonly dropPresence: boolean;
      readonly timersFirst: boolean;
    } & CandidateFault &
      Lasting)
  | ({ readonly kind: 'lossy'; readonly probability: number } & CandidateFault & Lasting)
  | ({ readonly kind: 'far'; readonly oneWay: number } & CandidateFault & Lasting)
  /** Its presence is dropped repeatedly, at this interval. */
  | ({ readonly kind: 'flap'; readonly every: number } & CandidateFault & Lasting)
  | ({
      readonly kind: 'kill' | 'resign' | 'restart elector' | 'stop' | 'drop presence' | 'drop commands';
    } & CandidateFault)
  | ({ readonly kind: 'wall clock'; readonly by: number } & CandidateFault)
  | { readonly kind: 'start' }
  /** The server restarts; `lost` is how much of the last writes, in milliseconds, `Infinity` is all. */
  | ({ readonly kind: 'server restart'; readonly lost: number } & Lasting)
  | ({ readonly kind: 'server refuses'; readonly code: string } & Lasting)
  | { readonly kind: 'scripts lost' };

/** A fault and how long after the last one it comes, in milliseconds. */
export interface Step {
  readonly after: number;
  readonly fault: Fault;
}
