interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** Callers that wait for the next run of something: one that begins after their call. */
export class NextRun<T> {
  private waiting: Waiter<T>[] = [];

  next(): Promise<T> {
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** Runs `work` for all who wait by now, and lets them know how it went. Rejects as `work` does. */
  async serve(work: () => Promise<T>): Promise<T> {
    const served = this.waiting;
    this.waiting = [];
    try {
      const value = await work();
      for (const { resolve } of served) resolve(value);
      return value;
    } catch (error) {
      for (const { reject } of served) reject(error as Error);
      throw error;
    }
  }

  /** Nothing runs any more. */
  rejectAll(error: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}
