import type { SharedSubscriber } from '@detector-cluster/election/redis';
import { readPulse, type Pulse } from './pulse.schema.js';

export interface PulseListenerOptions {
  readonly subscriber: Pick<SharedSubscriber, 'listen'>;
  readonly channel: string;
  readonly onPulse: (pulse: Pulse) => void;
  /** A message that is no pulse. */
  readonly onInvalid: () => void;
}

/** Hears the pulses of all processes, through cuts, until it is closed. */
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

  /** Since when pulses can be heard; null while they cannot. Monotonic, in milliseconds. */
  get listeningSince(): number | null {
    return this.since;
  }

  close(): void {
    this.leave();
  }
}
