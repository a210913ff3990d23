/** Who leads; `null` when nobody does. */
export interface LeaderView {
  readonly leaderId: string;
  readonly term: number;
}

/**
 * An election as seen from outside: by whom does not compete. Nobody is deposed from here, because a leader may act until it has
 * heard of it: it is asked, and whoever drives its elector looks for that and calls `resign()`.
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
