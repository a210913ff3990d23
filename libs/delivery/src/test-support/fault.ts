/** What happens to one of the processes that run: 0 is the master, the others follow. */
interface ProcessFault {
  readonly who: number;
}

interface Lasting {
  /** Milliseconds. */
  readonly lasts: number;
}

/** A fault of the environment, or an action of an operator. */
export type Fault =
  /** One or all of its connections; `reset`: both sides hear of it. */
  | ({ readonly kind: 'cut'; readonly link: number | 'all'; readonly reset: boolean } & ProcessFault &
      Lasting)
  | ({ readonly kind: 'freeze'; readonly timersFirst: boolean } & ProcessFault & Lasting)
  /** Its messages are lost or delayed. */
  | ({ readonly kind: 'lossy'; readonly loss: number; readonly late: number } & ProcessFault & Lasting)
  | ({ readonly kind: 'far'; readonly oneWay: number } & ProcessFault & Lasting)
  /** It is considered dead. */
  | ({ readonly kind: 'suspect' } & ProcessFault & Lasting)
  | ({ readonly kind: 'kill' | 'stop' | 'withdraw' | 'resign' } & ProcessFault)
  | ({ readonly kind: 'wall clock'; readonly by: number } & ProcessFault)
  /** It becomes master; its predecessor still considers itself master for this long. */
  | ({ readonly kind: 'elect'; readonly overlap: number } & ProcessFault)
  | { readonly kind: 'start' }
  /** So many detections of one subscription at once. */
  | { readonly kind: 'burst'; readonly count: number }
  /** The connection of the worker breaks in the middle, or the worker starts again. */
  | { readonly kind: 'worker break' | 'worker restart' }
  /** Callbacks take so much longer. */
  | ({ readonly kind: 'slow callbacks'; readonly by: number } & Lasting)
  /** Masters from now on are configured with another number of partitions; the next one begins. */
  | { readonly kind: 'partitions'; readonly count: number }
  /** The replay of all dead letters is requested. */
  | { readonly kind: 'replay' }
  /** Another program adds an entry to a partition, with an id so far above the present term. */
  | { readonly kind: 'foreign entry'; readonly partition: number; readonly above: number }
  | ({ readonly kind: 'server freeze' } & Lasting)
  /** The replica receives nothing. */
  | ({ readonly kind: 'replica behind' } & Lasting)
  /** After this time the replica replaces the server, with what it has. Only with the option `acceptance`. */
  | ({ readonly kind: 'failover' } & Lasting)
  | ({ readonly kind: 'server restart'; readonly losesData: boolean } & Lasting);

/** A fault and how long after the last one it comes, in milliseconds. */
export interface Step {
  readonly after: number;
  readonly fault: Fault;
}
