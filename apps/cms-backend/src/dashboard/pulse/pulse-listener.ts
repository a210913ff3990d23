import { channelPrefix, databaseOf, type SharedSubscriber } from '@detector-cluster/election/redis';
import type { AppConfig } from '../../config/app-config.js';
import { type Pulse, readPulse } from './pulse.schema.js';

type ChannelConfig = Pick<AppConfig, 'redis'> & { readonly cluster: { readonly keyPrefix: string } };

/** The channel on which every process reports its state. */
export const pulseChannel = ({ cluster, redis }: ChannelConfig): string =>
  `${channelPrefix(`${cluster.keyPrefix}dashboard:`, databaseOf(redis))}pulse`;

interface PulseListenerOptions {
  readonly subscriber: Pick<SharedSubscriber, 'listen'>;
  readonly channel: string;
  readonly onPulse: (pulse: Pulse) => void;
  /** A message that is not a pulse. */
  readonly onInvalid: () => void;
}

/** Receives the pulses of all processes until it is closed. It survives cuts of the connection. */
export class PulseListener {
  private readonly leave: () => void;
  private since: number | null = null;

  constructor({ subscriber, channel, onPulse, onInvalid }: PulseListenerOptions) {
    const hear = (text: string) => {
      const pulse = readPulse(text);
      if (pulse !== null) onPulse(pulse);
      else onInvalid();
    };
    this.leave = subscriber.listen(
      { [channel]: hear },
      () => (this.since = performance.now()),
      () => (this.since = null),
    );
  }

  /** Since when pulses can be received; null while they cannot. Monotonic, in milliseconds. */
  get listeningSince(): number | null {
    return this.since;
  }

  close(): void {
    this.leave();
  }
}
