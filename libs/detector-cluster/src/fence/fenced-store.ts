import { RedisScript } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { FencedError } from './fenced-error.js';
import { guardedWrite } from './scripts/scripts.generated.js';

/** One change of a hash; `del` removes the whole key. */
export type GuardedOperation =
  | { readonly op: 'hset'; readonly key: string; readonly field: string; readonly value: string }
  | { readonly op: 'hdel'; readonly key: string; readonly field: string }
  | { readonly op: 'del'; readonly key: string };

const script = new RedisScript<[number, string]>(guardedWrite);

/** Operations per script call: Lua blocks the server, so large writes are cut. */
const BATCH = 1_000;

/**
 * Everything the master writes goes through here. The fence stands at the resource: whatever a deposed master still
 * believes, Redis refuses its writes once a successor has raised the fence.
 */
export class FencedStore {
  constructor(
    private readonly redis: Redis,
    private readonly fenceKey: string,
    readonly term: number,
  ) {}

  /** Closes the door behind all earlier terms. A new master does this before it reads or plans anything. */
  async raise(): Promise<void> {
    await this.run([]);
  }

  /** Applies the operations in order, each batch atomically. Throws {@link FencedError} when this term has been superseded. */
  async write(operations: readonly GuardedOperation[]): Promise<void> {
    for (let i = 0; i < operations.length; i += BATCH) await this.run(operations.slice(i, i + BATCH));
  }

  private async run(operations: readonly GuardedOperation[]): Promise<void> {
    const keys = [this.fenceKey];
    const args: (string | number)[] = [this.term];
    for (const operation of operations) {
      let index = keys.indexOf(operation.key);
      if (index === -1) index = keys.push(operation.key) - 1;
      args.push(
        operation.op,
        index + 1,
        'field' in operation ? operation.field : '',
        'value' in operation ? operation.value : '',
      );
    }
    const [code, fence] = await script.run(this.redis, keys, args);
    if (code !== 1) throw new FencedError(this.term, Number(fence));
  }
}
