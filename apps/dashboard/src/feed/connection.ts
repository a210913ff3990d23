/** `unreachable`: the service does not answer. `full`: it answers, and has no place for one more page. */
export type Failure = 'unreachable' | 'full';

/** The connection of the page to the service. Times are those of the page's clock, in milliseconds since 1970. */
export type Connection =
  /** Nothing has been received yet. `failure`: why the last attempt failed; null before the first one has. */
  | {
      readonly phase: 'connecting';
      readonly failure: Failure | null;
      readonly retryAt: number | null;
    }
  | { readonly phase: 'live' }
  /** What is shown is as old as `since`. The next attempt is made at `retryAt`; null: one is under way. */
  | {
      readonly phase: 'lost';
      readonly since: number;
      readonly failure: Failure;
      readonly retryAt: number | null;
    }
  /** The service wants an API key; `refused`: another one than it was given. */
  | { readonly phase: 'locked'; readonly refused: boolean }
  /** The service is of another version, and loading the page again has not helped. */
  | { readonly phase: 'outdated' };
