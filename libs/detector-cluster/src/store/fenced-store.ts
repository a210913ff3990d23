import { FencedError, RedisFence, type GuardedCommand } from '@detector-cluster/election/fence';
import type { Redis } from 'ioredis';

/** Commands per script call: Lua blocks the server, so large writes are cut. */
const BATCH = 1_000;

/**
 * Everything the master of one term writes goes through here. The fence stands at the resource: whatever a deposed master
 * still believes, Redis refuses its writes once a successor has raised the fence.
 */
export class FencedStore {
  private readonly fence: RedisFence;

  constructor(
    readonly redis: Redis,
    fenceKey: string,
    readonly term: number,
    /** Called with each refusal, before it is thrown. */
    private readonly onRefused: (error: FencedError) => void = () => undefined,
  ) {
    this.fence = new RedisFence(redis, fenceKey);
  }

  /** Closes the door behind all earlier terms. A new master does this before it reads or plans anything. */
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

  private async guarded<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof FencedError) this.onRefused(error);
      throw error;
    }
  }
}
