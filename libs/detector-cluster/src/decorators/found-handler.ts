import type { ClusterHandler } from './cluster-handler.js';

/** A decorated method of an instance. */
export interface FoundHandler {
  readonly handler: ClusterHandler;
  /** `Class.method`. */
  readonly label: string;
  /** Calls the method on its instance. */
  readonly invoke: (...args: unknown[]) => unknown;
}
