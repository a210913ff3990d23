/** How the page stands with the service. Times are those of the page's clock, in milliseconds since 1970. */
export type Connection =
  /** Nothing has been heard yet. */
  | { readonly phase: 'connecting' }
  | { readonly phase: 'live' }
  /** What is shown is as old as `since`. The next attempt is made at `retryAt`; null: one is under way. */
  | { readonly phase: 'lost'; readonly since: number; readonly retryAt: number | null }
  /** The service wants an API key; `refused`: another one than it was given. */
  | { readonly phase: 'locked'; readonly refused: boolean }
  /** The service is of another version, and loading the page again has not helped. */
  | { readonly phase: 'outdated' };
