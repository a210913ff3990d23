/** The lease that a store keeps, as it is after a call. */
export interface LeaseView {
  /** Name of the claim that holds it; `null` when it is free. */
  readonly owner: string | null;
  /** Id of the candidate that holds it. */
  readonly leaderId: string | null;
  /** The highest so far; 0 before the first. */
  readonly term: number;
  /** For how long it is held, or kept for the successor, by the store's clock. Milliseconds, 0 when it is free. */
  readonly remaining: number;
  /**
   * How long the last lease lasts without renewal, as its holder has said; 0 when it was released. A store that may lose data returns it.
   * Milliseconds.
   */
  readonly ttl?: number;
  /** The candidate nominated as successor: the holder makes way for it, and no other candidate takes a lease kept for it. */
  readonly successor?: string | null;
}

export interface LeaseClaim {
  /** Unique for each claim. A candidate that repeats a claim after the answer was lost gets the same lease. */
  readonly owner: string;
  readonly candidateId: string;
  /** How long it lasts without renewal. Milliseconds. */
  readonly ttl: number;
}

/** A lease that is to be taken. */
export interface NewLeaseClaim extends LeaseClaim {
  /** The highest term that the candidate has seen. */
  readonly floor: number;
  /** How long the lease of that term lasts without renewal; 0 when unknown. A store that may have lost it waits for it. Milliseconds. */
  readonly floorTtl: number;
  /** How long ago the lease was claimed by this owner for the first time; 0 when this is it. Milliseconds. */
  readonly claimedFor: number;
}

/** What a store reports when the lease changes hands. */
export interface LeaseNews {
  readonly term: number;
  /** The candidate that took the lease; `null`: it was released. */
  readonly leaderId: string | null;
}

export interface LeaseWatcher {
  /** The lease changed hands, or a successor was named. Without `news` the store does not say which. */
  changed(news?: LeaseNews): void;
  /** Something may have been missed. */
  wake(): void;
  /** The store failed outside of a call. */
  failed(error: Error): void;
}

/** One lease in a store. Each call is one atomic step of the store and uses the store's clock alone. */
export interface LeaseStore {
  /** Called before other calls until it has succeeded: connects, creates missing objects. */
  prepare?(): Promise<void>;
  /**
   * Takes the lease when it is free and not kept for another candidate, in a new term: above `floor` and above all terms of the store,
   * also when the store lost its data. The holder renews it and keeps its term. How long another lease lasts is what its holder has said,
   * never `ttl`, which is that of the caller.
   */
  acquire(claim: NewLeaseClaim): Promise<LeaseView>;
  /** Renews the lease if `owner` holds it; for any other owner it is a look. */
  renew(claim: LeaseClaim): Promise<LeaseView>;
  /** Gives it up, if `owner` holds it. */
  release(claim: LeaseClaim): Promise<void>;
  /**
   * Reports changes of hands and nominations, not of renewals. These are hints: followers also look by themselves.
   * @returns what ends it
   */
  watch?(watcher: LeaseWatcher): () => void;
}
