import { type RedisService, withRedis } from '@detector-cluster/dev-services';

/** What a cluster keeps in its Redis. */
export class RedisGauge {
  /** Kind of keys → how many there were at first, and last. */
  private first: ReadonlyMap<string, number> | undefined;
  private last: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly service: RedisService,
    private readonly keyPrefix: string,
  ) {}

  /** @returns the number of keys, and the bytes of what they hold */
  async measure(): Promise<{ readonly keys: number; readonly data: number }> {
    const [keys, info] = await withRedis(this.service, (redis) =>
      Promise.all([redis.keys('*'), redis.info('memory')]),
    );
    const found = new Map<string, number>();
    for (const kind of keys.map((key) => this.kindOf(key))) found.set(kind, (found.get(kind) ?? 0) + 1);
    this.first ??= found;
    this.last = found;
    return { keys: keys.length, data: Number(/^used_memory_dataset:(\d+)/m.exec(info)![1]) };
  }

  /** The kinds of keys that have become more. */
  get added(): string[] {
    return [...this.last].flatMap(([kind, last]) => {
      const first = this.first?.get(kind) ?? 0;
      return last > first ? [`${kind}: ${first}, then ${last}`] : [];
    });
  }

  /** Its name without numbers and identifiers. */
  private kindOf(key: string): string {
    return key.replace(this.keyPrefix, '').replace(/[0-9a-f]{8}-[0-9a-f-]+|\d+/g, '#');
  }
}
