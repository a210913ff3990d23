import { RedisScript, type ScriptRunner } from '../../util/redis-script.js';
import { setAside } from './scripts.generated.js';

/** The types of keys, as Redis names them. */
export type KeyType = 'string' | 'hash' | 'stream' | 'zset';

/** Keys and their types. */
export type KeyTypes = ReadonlyMap<string, KeyType>;

/** How long a key that was set aside is kept. Milliseconds. */
const KEPT = 7 * 24 * 3_600_000;

const script = new RedisScript<string[]>(setAside, { allowOom: true });

/**
 * Finds keys whose type another program has changed. Every command on such a key fails, and what it held before is lost. So the
 * key is renamed to `<key>:aside`, where it is kept for seven days, and then written again like a key that was lost.
 */
export class KeyGuard {
  /** @param onSetAside gets a sentence that names the key */
  constructor(
    private readonly redis: ScriptRunner,
    private readonly isCluster: boolean,
    private readonly onSetAside: (message: string) => void,
  ) {}

  /** Rejects when Redis cannot be reached. */
  async look(types: KeyTypes): Promise<void> {
    const keys = [...types];
    await Promise.all((this.isCluster ? keys.map((key) => [key]) : [keys]).map((some) => this.lookAt(some)));
  }

  private async lookAt(keys: readonly (readonly [key: string, type: KeyType])[]): Promise<void> {
    const names = keys.flatMap(([key]) => [key, `${key}:aside`]);
    const found = await script.run(this.redis, names, [KEPT, ...keys.map(([, type]) => type)]);
    for (const [i, wrong] of found.entries()) {
      const [key, type] = keys[i]!;
      if (wrong !== '')
        this.onSetAside(
          `another program has made ${key} a ${wrong}, it should be a ${type}: renamed to ${key}:aside, which Redis keeps for 7 days`,
        );
    }
  }
}
