/** Runs work one after the other, in the order of the calls. */
export class OneByOne {
  private last: Promise<unknown> = Promise.resolve();

  /** Settles as the work does. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}
