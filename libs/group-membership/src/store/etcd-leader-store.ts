/**
 * Keeps the record of a group's leader in etcd.
 *
 * @example
 * ```ts
 * import { EtcdLeaderStore } from '@detector-cluster/group-membership/etcd';
 *
 * const store = new EtcdLeaderStore({ etcd: { endpoints: 'http://etcd:2379' } });
 * ```
 * @packageDocumentation
 */
import { EtcdConnection, EtcdError, sourceProblems, type EtcdSource } from '@detector-cluster/election/etcd';
import { TextLeaderStore } from './leader-store.js';

export interface EtcdLeaderStoreOptions {
  readonly etcd: EtcdSource;
  /** Default `group-membership/leader`. Each group needs its own. */
  readonly key?: string;
  /** Timeout of each call. Milliseconds; default 2,000. */
  readonly timeout?: number;
}

/** Keeps the record in etcd 3.4 or newer. Reads and writes need a majority of etcd's members. */
export class EtcdLeaderStore extends TextLeaderStore {
  readonly durable = true;
  private readonly connection: EtcdConnection;
  private readonly members: number;
  private readonly key: Buffer;

  /** @throws RangeError that names all that is wrong with `etcd`. */
  constructor({ etcd, key = 'group-membership/leader', timeout = 2_000 }: EtcdLeaderStoreOptions) {
    super();
    const problems = sourceProblems(etcd);
    if (problems.length > 0) throw new RangeError(problems.join('; '));
    this.key = Buffer.from(key);
    this.members = [etcd.endpoints].flat().length;
    this.connection = new EtcdConnection(etcd, timeout);
  }

  /** Asks each member in turn until one answers. */
  async read(): Promise<string | null> {
    for (let asked = 1; ; asked++)
      try {
        const { kvs } = await this.connection.call('/etcdserverpb.KV/Range', { key: this.key });
        return kvs[0]?.value.toString() ?? null;
      } catch (error) {
        const isDown = error instanceof EtcdError && error.code === 'UNREACHABLE';
        if (!isDown || asked >= this.members) throw error;
      }
  }

  async swap(expected: string | null, next: string): Promise<boolean> {
    const { key } = this;
    const { succeeded } = await this.connection.call('/etcdserverpb.KV/Txn', {
      compare: [
        expected === null
          ? { key, result: 'EQUAL', target: 'CREATE', create_revision: 0 }
          : { key, result: 'EQUAL', target: 'VALUE', value: Buffer.from(expected) },
      ],
      success: [{ request_put: { key, value: Buffer.from(next) } }],
    });
    return succeeded;
  }

  protected async write(text: string): Promise<void> {
    await this.connection.call('/etcdserverpb.KV/Put', { key: this.key, value: Buffer.from(text) });
  }

  cleanup(): Promise<void> {
    this.connection.close();
    return Promise.resolve();
  }
}
