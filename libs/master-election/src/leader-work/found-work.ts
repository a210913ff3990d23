import type { LeaderWork } from './leader-work.js';

/** A decorated method of an instance. */
export interface FoundWork {
  readonly work: LeaderWork;
  /** `Class.method`. */
  readonly label: string;
  /** Calls the method on its instance. */
  readonly invoke: (...args: unknown[]) => unknown;
}
