import {
  Elector,
  systemClock,
  type Clock,
  type ElectionBackend,
  type ElectionState,
} from '@detector-cluster/election';
import type { Cluster } from '../cluster/cluster.js';
import { ObservedBackend } from '../status/observed-backend.js';
import type { FakeRegistry } from './fake-registry.js';
import { FakeTickRecord } from './fake-tick-record.js';

interface FakeClusterOptions {
  readonly backend: ElectionBackend;
  readonly registry: FakeRegistry;
  readonly candidateId: string;
  readonly handoverTimeout: number;
  readonly onState: (state: ElectionState) => void;
}

/** With unreferenced timers the elector does not keep a test process alive. */
const clock: Clock = {
  ...systemClock,
  setTimeout: (callback, delay) => setTimeout(callback, delay).unref(),
};

/** A cluster without a server: a real elector over a store that the test controls. */
export class FakeCluster implements Cluster {
  readonly registry: FakeRegistry;
  readonly elector: Elector;
  readonly ticks = new FakeTickRecord();
  readonly lookInterval = 5;

  constructor({ backend, registry, candidateId, handoverTimeout, onState }: FakeClusterOptions) {
    this.registry = registry;
    this.elector = new Elector({
      backend: new ObservedBackend(backend, onState),
      candidate: { id: candidateId },
      handoverTimeout,
      clock,
    });
  }

  async close(): Promise<void> {
    await this.elector.stop();
  }
}
