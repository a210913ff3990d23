/** The package has no types; these are the parts used here. */
declare module 'redis-leader' {
  import type { EventEmitter } from 'node:events';
  import type { Redis } from 'ioredis';

  export default class Leader extends EventEmitter {
    constructor(redis: Redis, options: { key: string });
    elect(): void;
    stop(): void;
  }
}
