import type { FollowedRecords } from './cluster-reader.js';

/** One kind of records, as a test sets them. */
export class TestRecords<T> {
  values: ReadonlyMap<string, T> = new Map();
  private next: ReadonlyMap<string, T> = this.values;
  /** How often they were read. */
  reads = 0;
  /** Called by each reading; it may wait, or throw. */
  onRead: () => void | Promise<void> = () => undefined;

  set(values: Readonly<Record<string, object | string>>): void {
    this.next = new Map(Object.entries(values)) as ReadonlyMap<string, unknown> as ReadonlyMap<string, T>;
  }

  async read(): Promise<ReadonlyMap<string, T>> {
    this.reads++;
    await this.onRead();
    this.values = this.next;
    return this.values;
  }
}

type Fakes<R> = {
  readonly [K in keyof R]: R[K] extends { values: ReadonlyMap<string, infer T> } ? TestRecords<T> : never;
};

/** The records of a master that does not exist. */
export const testRecords = (): Fakes<FollowedRecords> => ({
  workers: new TestRecords(),
  assignments: new TestRecords(),
  subscriptions: new TestRecords(),
  skipped: new TestRecords(),
  models: new TestRecords(),
});
