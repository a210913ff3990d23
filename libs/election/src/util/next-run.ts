interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** Callers that wait for the next run, which begins after their call. */
export class NextRun<T> {
  private waiting: Waiter<T>[] = [];
  private over: Error | undefined;

  /** Rejects if no further run begins. */
  next(): Promise<T> {
    if (this.over) return Promise.reject(this.over);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** Runs `work` for all callers that wait now, and passes its outcome to them. Rejects as `work` does. */
  async serve(work: () => Promise<T>): Promise<T> {
    const served = this.waiting.splice(0);
    try {
      const value = await work();
      for (const { resolve } of served) resolve(value);
      return value;
    } catch (error) {
      for (const { reject } of served) reject(error as Error);
      throw error;
    }
  }

  /** No further run begins. */
  rejectAll(error: Error): void {
    this.over = error;
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}
