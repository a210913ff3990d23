import type { SeededRandom } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';

/** Drops connections to Redis, as a network or a proxy would: their clients notice only that they are closed. */
export class RedisClients {
  private readonly redis: Redis;

  constructor(url: string) {
    this.redis = new Redis(url);
    this.redis.on('error', () => undefined);
  }

  /** Drops up to `most` connections, neither its own nor one that watches the server; says how many. */
  async drop(random: SeededRandom, most: number): Promise<number> {
    const own = String(await this.redis.client('ID'));
    const list = (await this.redis.client('LIST')) as string;
    const ids = list.split('\n').flatMap((line) => {
      const id = /\bid=(\d+)/.exec(line)?.[1];
      const watches = /\bflags=\w*O/.test(line);
      return id === undefined || id === own || watches ? [] : [id];
    });
    let dropped = 0;
    for (let left = random.between(1, most + 1); left > 0 && ids.length > 0; left--) {
      const [id] = ids.splice(random.between(0, ids.length), 1);
      dropped += Number(await this.redis.client('KILL', 'ID', id!));
    }
    return dropped;
  }

  close(): void {
    this.redis.disconnect();
  }
}
