import type { Redis } from 'ioredis';
import { RedisScript } from '../util/redis-script.js';
import { FencedError, UnreadableFenceError } from './fenced.error.js';
import { RedisFence, type GuardedCommand } from './redis-fence.js';
import { repairFence } from './scripts.generated.js';

/** Commands per script call: Lua blocks the server, so large writes are cut. */
const BATCH = 1_000;

const repairScript = new RedisScript<null>(repairFence, { allowOom: true });

/** How a leader watches its writes. */
export interface FencedStoreHooks {
  /** Called with each refusal, before it is thrown. */
  readonly onRefused: (error: FencedError) => void;
  /** Another program has changed what this leader had written; a sentence that names the key. */
  readonly onForeign: (message: string) => void;
  /** Whether no other process leads at this instant, so that this one may repair the fence. */
  readonly mayRepair: () => boolean;
  /** A key with the JSON record of the last leader. Its field `term` was written in the step in which the leader raised the fence. */
  readonly masterKey: string;
}

/**
 * Everything the leader of one term writes goes through here. The fence stands at the resource: whatever a deposed leader
 * still believes, Redis refuses its writes once a successor has raised the fence.
 */
export class FencedStore {
  private readonly fence: RedisFence;

  /** @param hooks default: refusals are only thrown, and a fence that cannot be read is left as it is */
  constructor(
    readonly redis: Redis,
    private readonly fenceKey: string,
    readonly term: number,
    private readonly hooks?: FencedStoreHooks,
  ) {
    this.fence = new RedisFence(redis, fenceKey);
  }

  /** Closes the door behind all earlier terms. A new leader does this before it reads or plans anything. */
  async raise(): Promise<void> {
    await this.guarded(() => this.fence.raise(this.term));
  }

  /** Applies the commands in order, each batch in one go; returns their replies. Throws `FencedError` when this term has been superseded. */
  async write(commands: readonly GuardedCommand[]): Promise<unknown[]> {
    const replies: unknown[] = [];
    for (let i = 0; i < commands.length; i += BATCH)
      replies.push(...(await this.guarded(() => this.fence.write(this.term, commands.slice(i, i + BATCH)))));
    return replies;
  }

  /** Another program has changed what this leader had written. @param message a sentence that names the key */
  foreign(message: string): void {
    this.hooks?.onForeign(message);
  }

  private async guarded<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof FencedError) this.hooks?.onRefused(error);
      if (!(error instanceof UnreadableFenceError) || !this.hooks?.mayRepair()) throw error;
      await this.repair(error, this.hooks);
    }
    return await this.guarded(call);
  }

  private async repair({ message }: UnreadableFenceError, { masterKey, onForeign }: FencedStoreHooks) {
    await repairScript.run(this.redis, [this.fenceKey, masterKey], [this.term]);
    onForeign(`${message}. This master, which leads, has done so`);
  }
}
