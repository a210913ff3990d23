import { blockingSettings, closeRedis, openRedis, type RedisSource } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';

const PING_INTERVAL = 1_000;

/** A connection that has not answered for this long is dialled anew. Milliseconds. */
const SILENCE_LIMIT = 2_000;

/**
 * Shows that this process lives: a connection that listens to the process's own channel and does nothing else. When the
 * process dies, its kernel closes the connection, and the server forgets the listener within milliseconds.
 */
export class PresenceConnection {
  private readonly redis: Redis;
  private readonly timer: NodeJS.Timeout;
  private answered = performance.now();
  private ticked = performance.now();

  /** @param onPresent Called each time the connection listens, again. */
  constructor(source: RedisSource, channel: string, onPresent: () => void) {
    this.redis = openRedis(source, {
      ...blockingSettings,
      enableOfflineQueue: false,
    });
    this.redis.on('ready', () => {
      this.answered = performance.now();
      this.redis.subscribe(channel).then(onPresent, () => this.redis.disconnect(true));
    });
    this.timer = setInterval(() => this.tick(), PING_INTERVAL);
  }

  close(): void {
    clearInterval(this.timer);
    closeRedis(this.redis);
  }

  private tick(): void {
    const now = performance.now();
    // After a pause of this process itself the answers may still be waiting to be read.
    if (now - this.ticked > PING_INTERVAL * 1.5) this.answered = now;
    this.ticked = now;
    if (this.redis.status !== 'ready') return;
    if (now - this.answered >= SILENCE_LIMIT) {
      this.answered = now;
      this.redis.disconnect(true);
      return;
    }
    this.redis.ping().then(
      () => (this.answered = performance.now()),
      () => undefined,
    );
  }
}
