import { sharedClock } from '../support/shared-clock.js';
import { tell } from './bench-child.js';

/** The callback of both loops: takes the time of arrival and tells the parent how far it is. */
export class DetectionSink {
  private count = 0;
  private latencies: number[] = [];

  constructor() {
    process.on('message', (message) => {
      if (message !== 'report') return;
      tell({ type: 'report', latencies: this.latencies });
      this.count = 0;
      this.latencies = [];
    });
  }

  take(sentAt: number): void {
    this.latencies.push(sharedClock() - sentAt);
    if (++this.count % 250 === 0) tell({ type: 'progress', count: this.count });
  }
}
