import { Command } from 'ioredis';

/** The part of a key that alone decides its slot: between the first `{` and the next `}`; `undefined` without one. */
export function hashTagOf(key: string): string | undefined {
  return /^[^{]*\{([^}]+)\}/.exec(key)?.[1];
}

/** The slot of a key on a Redis Cluster. */
export function slotOf(key: string): number {
  return Number(new Command('get', [key]).getSlot());
}
