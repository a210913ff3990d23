/** `unreachable`: the service does not answer. `full`: it answers, but accepts no more pages. */
export type Failure = 'unreachable' | 'full';

/** The page's connection to the service. Times are by the page's clock, in milliseconds since 1970. */
export type Connection =
  /** Nothing has been received yet. `failure`: why the last attempt failed; null if none has failed. */
  | {
      readonly phase: 'connecting';
      readonly failure: Failure | null;
      readonly retryAt: number | null;
    }
  | { readonly phase: 'live' }
  /** The shown state is as old as `since`. The next attempt is made at `retryAt`; null: one is in progress. */
  | {
      readonly phase: 'lost';
      readonly since: number;
      readonly failure: Failure;
      readonly retryAt: number | null;
    }
  /** The service requires an API key; `refused`: it rejected the given one. */
  | { readonly phase: 'locked'; readonly refused: boolean }
  /** The service has another version, and reloading the page has not helped. */
  | { readonly phase: 'outdated' };
