import type { Clock } from '@detector-cluster/election';

/** Heartbeats of this node that the feed has not delivered yet, for feeds that do not name the writer of a record. */
export class OwnHeartbeats {
  private readonly times: number[] = [];

  /** @param timeout How long to wait for a record, in ms, because feeds may skip records. */
  constructor(
    private readonly timeout: number,
    private readonly clock: Clock,
  ) {}

  /** Must be called before a heartbeat is sent. Returns a function that takes the call back. */
  sent(): () => void {
    const at = this.clock.now();
    this.times.push(at);
    return () => {
      const index = this.times.indexOf(at);
      if (index >= 0) this.times.splice(index, 1);
    };
  }

  /** Whether a record that names this node is one of its own heartbeats, rather than an election by another node. */
  isEcho(): boolean {
    const oldest = this.clock.now() - this.timeout;
    while (this.times.length > 0 && this.times[0]! < oldest) this.times.shift();
    return this.times.shift() !== undefined;
  }
}
