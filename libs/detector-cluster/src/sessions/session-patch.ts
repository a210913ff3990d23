/** What a worker has learned about a session. */
export interface SessionPatch {
  readonly sessionId: number;
  /** Any JSON value; undefined when the worker sent none. Its meaning is between the model and the application. */
  readonly data: unknown;
  /** The worker, by its URL without credentials. */
  readonly workerUrl: string;
}

/** The answer that the worker gets to its patch. */
export interface SessionPatchResult {
  readonly success: boolean;
  /** Why not, or a remark. */
  readonly message?: string;
}

/**
 * Stores a patch. Resolving with nothing means success; what it throws is told the worker as the reason of the failure.
 * `signal` is aborted when the time is over and the worker has been told so.
 */
export type PatchSessionHandler = (
  patch: SessionPatch,
  signal: AbortSignal,
) => SessionPatchResult | void | Promise<SessionPatchResult | void>;
