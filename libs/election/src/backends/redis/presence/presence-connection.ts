import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { blockingSettings, closeRedis, openRedis, type RedisSource } from '../connection/redis-connection.js';
import type { ProcessPresence } from './process-presence.js';

const PING_INTERVAL = 1_000;

/** A connection that has not answered for this long is dialled anew. Milliseconds. */
const SILENCE_LIMIT = 2_000;

/**
 * Shows that this process lives: a connection that listens to the process's own channel and does nothing else. When the
 * process dies, its kernel closes the connection, and the server forgets the listener within milliseconds.
 *
 * Emits `listening` each time the server has it on its list, again.
 */
export class PresenceConnection extends EventEmitter<{ listening: [] }> implements ProcessPresence {
  private readonly redis: Redis;
  private readonly timer: NodeJS.Timeout;
  private subscribed = false;
  private away = false;
  private closed = false;
  private answered = performance.now();
  private ticked = performance.now();

  constructor(
    source: RedisSource,
    private readonly channel: string,
  ) {
    super();
    this.setMaxListeners(0);
    this.redis = openRedis(source, { ...blockingSettings, enableOfflineQueue: false });
    this.redis.on('ready', () => void this.subscribe());
    this.redis.on('close', () => (this.subscribed = false));
    this.timer = setInterval(() => this.tick(), PING_INTERVAL);
  }

  get listening(): boolean {
    return this.subscribed;
  }

  whenListening(timeout: number, signal: AbortSignal): Promise<void> {
    if (this.subscribed || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.off('listening', done);
        resolve();
      };
      const timer = setTimeout(done, timeout);
      signal.addEventListener('abort', done);
      this.once('listening', done);
    });
  }

  leave(): void {
    this.away = true;
    this.subscribed = false;
    closeRedis(this.redis);
  }

  comeBack(): void {
    if (!this.away || this.closed) return;
    this.away = false;
    const dial = () => {
      if (!this.away) this.redis.connect().catch(() => undefined);
    };
    if (this.redis.status === 'end') dial();
    else this.redis.once('end', dial);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    this.leave();
  }

  private async subscribe(): Promise<void> {
    this.answered = performance.now();
    try {
      await this.redis.subscribe(this.channel);
    } catch {
      if (!this.away) this.redis.disconnect(true);
      return;
    }
    if (this.away) return;
    this.subscribed = true;
    this.emit('listening');
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
