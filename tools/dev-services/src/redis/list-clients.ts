import type { Redis } from 'ioredis';

/** One line of `CLIENT LIST`. */
export interface RedisClient {
  readonly id: string;
  /** Address and port. */
  readonly addr: string;
  /** Empty if the client has none. */
  readonly name: string;
  readonly user: string;
  readonly flags: string;
}

/** Returns all connections that a server has. */
export async function listClients(redis: Redis): Promise<RedisClient[]> {
  return parseClientList(String(await redis.client('LIST')));
}

export function parseClientList(text: string): RedisClient[] {
  const lines = text.split('\n').filter((line) => line.includes('='));
  return lines.map((line) => {
    const field = (name: string) => new RegExp(`(?:^| )${name}=(\\S*)`).exec(line)?.[1] ?? '';
    return {
      id: field('id'),
      addr: field('addr'),
      name: field('name'),
      user: field('user'),
      flags: field('flags'),
    };
  });
}
