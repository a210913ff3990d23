import {
  type Clock,
  type ElectionBackend,
  type ElectionState,
  Elector,
  systemClock,
} from '@detector-cluster/election';
import { observed } from '../participant/observed-backend.js';
import type { Cluster } from '../participant/cluster.js';
import { understoodLevel } from '../registry/format-levels.js';
import type { ProcessEntry } from '../registry/process-entry.js';
import type { ProcessCapabilities } from '../shared/process-info.js';
import { FakeTickRecord } from './fake-tick-record.js';
import type { FakeRegistry } from './fake-registry.js';

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
      backend: observed(backend, onState),
      candidate: { id: candidateId },
      handoverTimeout,
      clock,
    });
  }

  async close(): Promise<void> {
    await this.elector.stop();
  }
}

/** Another process, as a test describes it. */
export interface FakeProcess {
  readonly nodeId: string;
  readonly identifier?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly capabilities?: Partial<ProcessCapabilities>;
}

/** The registry entry of such a process. */
export function entryOf({
  nodeId,
  identifier = 'fake',
  metadata = {},
  capabilities,
}: FakeProcess): ProcessEntry {
  const now = new Date().toISOString();
  return {
    processId: nodeId,
    nodeId,
    identifier,
    role: 'slave',
    lastSeen: now,
    registeredAt: now,
    capabilities: {
      canProcessDetections: true,
      maxSubscriptions: 100,
      preferredWorkload: 80,
      ...capabilities,
    },
    metadata,
    bootId: 'fake',
    showsPresence: true,
    formatLevel: understoodLevel(),
  };
}
