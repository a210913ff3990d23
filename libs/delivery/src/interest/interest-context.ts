import type { Clock } from '@detector-cluster/election';

/** The dependencies of the index of interests, in the master. */
export interface InterestContext {
  readonly clock: Clock;
  readonly onEvent: (event: { readonly type: 'redis-error'; readonly error: Error }) => void;
  /** Reads the members; rejects when they cannot be read. */
  readonly readMembers: () => Promise<void>;
  /** Aborts when the router is closed or deposed. */
  readonly signal: AbortSignal;
  /** The fence has refused this term: a later one has written. */
  readonly deposed: () => void;
}
