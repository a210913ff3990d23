/** A callback of the application has not answered in time. It may still be at work; its answer will be ignored. */
export class ApplicationTimeoutError extends Error {
  override readonly name = 'ApplicationTimeoutError';
  readonly code = 'APPLICATION_TIMEOUT';

  constructor(
    /** The name in the options, such as `modelUrl.urlFor`. */
    readonly callback: string,
    /** Milliseconds. */
    readonly timeout: number,
  ) {
    super(`${callback} has not answered within ${timeout} ms`);
  }
}

/** A callback that has not answered. */
export interface PendingCall {
  readonly callback: string;
  /** Milliseconds. */
  readonly pendingFor: number;
}

/** Calls into the application. Each has a time limit, so that a promise that never settles does not block the cluster. */
export class ApplicationCalls {
  /** Callback → since when none of its calls has settled. Monotonic milliseconds. */
  private readonly pending = new Map<string, number>();

  /**
   * Settles as the callback does.
   * @param timeout milliseconds
   * @param signal ends the wait, with its reason
   * @throws {ApplicationTimeoutError}
   */
  run<T>(
    callback: string,
    timeout: number,
    call: () => T | PromiseLike<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (!this.pending.has(callback)) this.pending.set(callback, performance.now());
    return new Promise<T>((resolve, reject) => {
      const abort = () => settle(() => reject(signal!.reason as Error));
      const timer = setTimeout(
        () => settle(() => reject(new ApplicationTimeoutError(callback, timeout))),
        timeout,
      );
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        finish();
      };
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      const answered = (finish: () => void) => {
        this.pending.delete(callback);
        settle(finish);
      };
      new Promise<T>((started) => started(call())).then(
        (value) => answered(() => resolve(value)),
        (error: unknown) => answered(() => reject(error as Error)),
      );
    });
  }

  /** The callback that has not answered for the longest time; null if none is pending. */
  get oldest(): PendingCall | null {
    const [first] = [...this.pending].sort(([, a], [, b]) => a - b);
    return first === undefined ? null : { callback: first[0], pendingFor: performance.now() - first[1] };
  }
}
