/** Who leads; `null` while there is no leader. */
export interface LeaderView {
  readonly leaderId: string;
  readonly term: number;
}

/**
 * Reads an election without taking part in it. It cannot depose a leader, because a leader may act until it learns of that.
 * Instead it stores a request to resign. The process that drives the leader's elector watches for the request and calls
 * `resign()`.
 */
export interface ElectionControl {
  /** Rejects when the store does not answer. */
  leader(): Promise<LeaderView | null>;

  /** Asks the leader of that term to resign. Forgotten after a minute or with the next term. Rejects when the store does not answer. */
  requestResign(term: number): Promise<void>;

  /** Whether the leader of that term was asked to resign. Rejects when the store does not answer. */
  isResignRequested(term: number): Promise<boolean>;

  /** No timer and no socket is left. */
  close(): Promise<void>;
}
