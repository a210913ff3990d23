import type { Redis } from 'ioredis';
import { listClients, type RedisClient } from '@detector-cluster/dev-services';

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

  private async named(text: string): Promise<RedisClient[]> {
    const word = new RegExp(`(?<![\\w-])${text}(?!\\w)`);
    return (await this.list()).filter(({ name }) => word.test(name));
  }

  /** All clients, except its own connection and those that monitor the server. */
  private async list(): Promise<RedisClient[]> {
    const own = String(await this.redis.client('ID'));
    return (await listClients(this.redis)).filter(({ id, flags }) => id !== own && !flags.includes('O'));
  }

  private async kill(clients: readonly RedisClient[]): Promise<number> {
    let killed = 0;
    for (const { id } of clients) killed += Number(await this.redis.client('KILL', 'ID', id));
    return killed;
  }
}
