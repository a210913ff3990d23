import { blockingSettings, closeRedis, keepSubscribed, openRedis } from '@detector-cluster/election/redis';
import type { RedisAddress } from '../../config/app-config.js';
import { redisSource } from '../../redis/redis-client.js';
import { readPulse, type Pulse } from './pulse.schema.js';

export interface PulseListenerOptions {
  readonly redis: RedisAddress;
  readonly channel: string;
  readonly onPulse: (pulse: Pulse) => void;
  /** A message that is no pulse. */
  readonly onInvalid: () => void;
}

/** Hears the pulses of all processes, through cuts, until it is closed. */
export class PulseListener {
  private readonly subscriber;
  private since: number | null = null;

  constructor({ redis, channel, onPulse, onInvalid }: PulseListenerOptions) {
    this.subscriber = openRedis(redisSource(redis), blockingSettings);
    this.subscriber.on('message', (_channel: string, text: string) => {
      const pulse = readPulse(text);
      if (pulse !== null) onPulse(pulse);
      else onInvalid();
    });
    this.subscriber.on('close', () => (this.since = null));
    keepSubscribed(this.subscriber, [channel], () => (this.since = performance.now()));
  }

  /** Since when pulses can be heard; null while they cannot. Monotonic, in milliseconds. */
  get listeningSince(): number | null {
    return this.since;
  }

  close(): void {
    closeRedis(this.subscriber);
  }
}
