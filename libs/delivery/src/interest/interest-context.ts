import type { OwnershipContext } from '../ownership/ownership-context.js';

/** The dependencies of the index of interests, in the master. */
export interface InterestContext extends Pick<OwnershipContext, 'clock' | 'signal' | 'deposed'> {
  readonly onEvent: (event: { readonly type: 'redis-error'; readonly error: Error }) => void;
  /** Reads the members; rejects when they cannot be read. */
  readonly readMembers: () => Promise<void>;
}
