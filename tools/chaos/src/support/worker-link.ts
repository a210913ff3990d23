import { workerStats } from '@detector-cluster/local-cluster';
import { NetworkLink } from './network-link.js';

/** The network between masters and one worker. */
export class WorkerLink extends NetworkLink {
  /** The name under which masters know the worker. */
  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** Address of the worker's own HTTP server, past the link. */
  get workerUrl(): string {
    return `http://127.0.0.1:${this.serverPort}`;
  }

  /** What the worker reports about itself. */
  stats(): ReturnType<typeof workerStats> {
    return workerStats(this.workerUrl);
  }
}
