import type { Redis } from 'ioredis';

interface Client {
  readonly id: string;
  readonly name: string;
}

/** Drops connections to Redis, as a network or a proxy would: their clients notice only that they are closed. */
export class RedisClients {
  constructor(private readonly redis: Redis) {}

  /** Drops up to `count` neighbouring connections, starting at a place in the list, in [0, 1). Returns how many. */
  async drop(place: number, count: number): Promise<number> {
    const clients = await this.list();
    const from = Math.floor(place * clients.length);
    return this.kill(clients.slice(from, from + count));
  }

  /** Whether a connection has a name that contains the text as a whole word. */
  async hasNamed(text: string): Promise<boolean> {
    return (await this.named(text)).length > 0;
  }

  /** Drops the connections whose name contains the text as a whole word. */
  async dropNamed(text: string): Promise<void> {
    await this.kill(await this.named(text));
  }

  private async named(text: string): Promise<Client[]> {
    const word = new RegExp(`(?<![\\w-])${text}(?!\\w)`);
    return (await this.list()).filter(({ name }) => word.test(name));
  }

  /** All clients, except its own connection and those that monitor the server. */
  private async list(): Promise<Client[]> {
    const own = String(await this.redis.client('ID'));
    const list = (await this.redis.client('LIST')) as string;
    return list.split('\n').flatMap((line) => {
      const field = (name: string) => new RegExp(`(?:^| )${name}=(\\S*)`).exec(line)?.[1] ?? '';
      const id = field('id');
      return id === '' || id === own || field('flags').includes('O') ? [] : [{ id, name: field('name') }];
    });
  }

  private async kill(clients: readonly Client[]): Promise<number> {
    let killed = 0;
    for (const { id } of clients) killed += Number(await this.redis.client('KILL', 'ID', id));
    return killed;
  }
}
