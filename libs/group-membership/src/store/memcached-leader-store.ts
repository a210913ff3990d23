/**
 * Keeps the record of a group's leader in memcached.
 *
 * @example
 * ```ts
 * import { MemcachedLeaderStore } from '@detector-cluster/group-membership/memcached';
 *
 * const store = new MemcachedLeaderStore({ server: 'memcached:11211' });
 * ```
 * @packageDocumentation
 */
import { MemcacheClient } from 'memcache-client';
import { TextLeaderStore } from './text-leader-store.js';

export interface MemcachedLeaderStoreOptions {
  /** `host:port` of one server. With several servers the record could move between them. */
  readonly server: string;
  /** Default `group-membership:leader`. Each group needs its own. */
  readonly key?: string;
  /** Timeout of each command. Milliseconds; default 2,000. */
  readonly commandTimeout?: number;
  /** For a server that speaks TLS. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/** No expiry, because an expired record would look like a record that was never written. */
const LIFETIME = { lifetime: 0 };

/** memcached's answer when the stored record is not the expected one. */
const DIFFERS = new Set(['NOT_STORED', 'EXISTS', 'NOT_FOUND']);

/**
 * Keeps the record in memcached, which loses it on a restart or an eviction. The leader then stores it again. A process that finds
 * no record waits until no leader can still act.
 */
export class MemcachedLeaderStore extends TextLeaderStore {
  private readonly client: MemcacheClient;
  private readonly key: string;

  constructor(options: MemcachedLeaderStoreOptions) {
    super();
    const { server, key = 'group-membership:leader', commandTimeout = 2_000, tls } = options;
    this.key = key;
    this.client = new MemcacheClient({
      server,
      cmdTimeout: commandTimeout,
      connectTimeout: commandTimeout,
      noDelay: true,
      ...(tls && { tls }),
    });
    this.client.on('error', () => undefined);
  }

  async read(): Promise<string | null> {
    return (await this.entry())?.value ?? null;
  }

  async swap(expected: string | null, next: string): Promise<boolean> {
    try {
      if (expected === null) await this.client.add(this.key, next, LIFETIME);
      else {
        const entry = await this.entry();
        if (entry?.value !== expected) return false;
        await this.client.cas(this.key, next, { ...LIFETIME, casUniq: entry.casUniq });
      }
      return true;
    } catch (error) {
      if (DIFFERS.has((error as Error).message)) return false;
      throw error;
    }
  }

  protected async write(text: string): Promise<void> {
    await this.client.set(this.key, text, LIFETIME);
  }

  cleanup(): Promise<void> {
    this.client.shutdown();
    return Promise.resolve();
  }

  private async entry(): Promise<{ value: string; casUniq: number | string } | undefined> {
    return (await this.client.gets<string>(this.key)) as
      { value: string; casUniq: number | string } | undefined;
  }
}
