import { toError } from '@detector-cluster/election/internal';
import type { PatchSessionMessage, PatchSessionResultCommand } from '@detector-cluster/worker-protocol';
import { redactText } from '../shared/redact-url.js';

/** A worker's report about a session. */
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
 * Stores a patch. Resolving with nothing means success; what it throws is sent to the worker as the reason of the failure.
 * `signal` aborts when the time is over and the worker has got that answer.
 */
export type PatchSessionHandler = (
  patch: SessionPatch,
  signal: AbortSignal,
) => SessionPatchResult | void | Promise<SessionPatchResult | void>;

/** Workers get an answer within 5 s. The difference is for the network. Milliseconds. */
const PATCH_TIME = 4_500;

/** Patches that are being handled at once. */
const MAX_AT_ONCE = 1_000;

/** Maximum length of an error's message to a worker. Characters. */
const MAX_REASON_LENGTH = 500;

export interface SessionPatchesOptions {
  readonly onFailure: (error: Error) => void;
  /** Default 4,500 ms. */
  readonly patchTime?: number;
}

/** Hands session patches of workers to the application, and always has an answer in time. */
export class SessionPatches {
  private handler: PatchSessionHandler | null = null;
  private running = 0;

  constructor(private readonly options: SessionPatchesOptions) {}

  /**
   * @returns a function that removes the handler
   * @throws Error when there is one already
   */
  handleWith(handler: PatchSessionHandler): () => void {
    if (this.handler !== null)
      throw new Error('onPatchSession: there is a handler already; remove it with the function it returned');
    this.handler = handler;
    return () => {
      if (this.handler === handler) this.handler = null;
    };
  }

  /** Never rejects. */
  async answer(
    workerUrl: string,
    { sessionId, data }: PatchSessionMessage,
  ): Promise<PatchSessionResultCommand> {
    const { success, message } = await this.resultOf(workerUrl, sessionId, data);
    return {
      type: 'patchSessionResult',
      payload: { sessionId, success, ...(message !== undefined && { message }) },
    };
  }

  private async resultOf(workerUrl: string, sessionId: number, data: unknown): Promise<SessionPatchResult> {
    const { handler } = this;
    if (handler === null) return failure('this backend does not take session patches');
    if (this.running >= MAX_AT_ONCE) return failure('too many session patches at once');
    const limit = this.options.patchTime ?? PATCH_TIME;
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not stored within ${limit} ms`)), limit).unref();
    });
    this.running++;
    const handling = (async () => handler({ sessionId, data, workerUrl }, abort.signal))().finally(
      () => this.running--,
    );
    try {
      return readResult(await Promise.race([handling, timeout]));
    } catch (error) {
      abort.abort(error);
      // It may still fail after its time; that has been reported as a timeout.
      handling.catch(() => undefined);
      return this.failed(workerUrl, sessionId, error);
    } finally {
      clearTimeout(timer);
    }
  }

  private failed(workerUrl: string, sessionId: number, cause: unknown): SessionPatchResult {
    const reason = toError(cause).message;
    this.options.onFailure(
      new Error(`the patch of session ${sessionId} by ${workerUrl} failed: ${reason}`, { cause }),
    );
    return failure(reason);
  }
}

function failure(reason: string): SessionPatchResult {
  return { success: false, message: redactText(reason).slice(0, MAX_REASON_LENGTH) };
}

function readResult(result: unknown): SessionPatchResult {
  if (result === undefined || result === null) return { success: true };
  const { success, message } = result as SessionPatchResult;
  if (typeof success !== 'boolean')
    throw new TypeError('the handler must return nothing, or { success: boolean, message?: string }');
  return typeof message === 'string' ? { success, message } : { success };
}
