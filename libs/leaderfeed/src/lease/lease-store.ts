/** The lease that a store keeps, as it is after a call. */
export interface LeaseView {
  /** Whose it is; `null` when nobody holds it. */
  readonly owner: string | null;
  /** Id of the candidate that holds it. */
  readonly leaderId: string | null;
  /** The highest so far; 0 before the first. */
  readonly term: number;
  /** For how long it is held, or kept for the successor, by the store's clock. Milliseconds, 0 when it is free. */
  readonly remaining: number;
  /** The candidate that shall hold it next: its holder makes way for it, and nobody else takes it while it is kept. */
  readonly successor: string | null;
}

export interface LeaseClaim {
  /** Unique for each claim; whoever repeats a claim whose answer was lost, has it. */
  readonly owner: string;
  readonly candidateId: string;
  /** How long it lasts without renewal. Milliseconds. */
  readonly ttl: number;
}

/** A lease that is to be taken. */
export interface NewLeaseClaim extends LeaseClaim {
  /** The highest term that the candidate has seen. */
  readonly floor: number;
  /** How long ago the lease was claimed by this owner for the first time; 0 when this is it. Milliseconds. */
  readonly claimedFor: number;
}

/**
 * One lease in a store. Each call is one atomic step of the store and uses the store's clock alone. Changes of hands and
 * nominations are announced over the feed; renewals are not.
 */
export interface LeaseStore {
  /**
   * Takes the lease when it is free and not kept for another candidate, in a new term: above `floor`, above all terms of the store, and
   * not below its clock in milliseconds, so that it rises even when data was lost. The holder renews it and keeps its term.
   */
  acquire(claim: NewLeaseClaim): Promise<LeaseView>;
  /** Renews the lease if `owner` holds it; otherwise changes nothing. */
  renew(claim: LeaseClaim): Promise<LeaseView>;
  /** Gives it up, if `owner` holds it. Whoever was nominated has `ttl` to take it before anyone else may. */
  release(claim: LeaseClaim): Promise<void>;
  /** Has the lease handed to a candidate. Free, it is kept for it for `ttl` ms. */
  nominate(candidateId: string, ttl: number): Promise<void>;
}
