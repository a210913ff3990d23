import {
  type Clock,
  type ElectionBackend,
  type ElectionState,
  Elector,
  systemClock,
} from '@detector-cluster/election';
import { ObservedBackend } from '../cluster/observed-backend.js';
import type { Cluster, Registry } from '../cluster/cluster.js';
import { DuplicateNodeIdError, UnknownProcessError } from '../errors.js';
import type { ProcessEntry } from '../registry/process-entry.js';
import type { ProcessCapabilities } from '../registry/process-info.js';
import type { RegistrySnapshot } from '../registry/process-registry.js';
import type { TickOutcome, TickRecord, TickStart } from '../schedule/tick-record.js';

interface Job {
  tick: number;
  term: number;
  run: string;
}

/** The record of scheduled jobs in memory. */
export class FakeTickRecord implements TickRecord {
  private readonly jobs = new Map<string, Job>();

  /** @param clock Its wall clock decides when a tick is due. */
  constructor(private readonly clock: Pick<Clock, 'wallNow'> = systemClock) {}

  start(start: TickStart): ReturnType<TickRecord['start']> {
    return Promise.resolve({ outcome: this.outcomeOf(start), now: this.clock.wallNow() });
  }

  enter(job: string, term: number): ReturnType<TickRecord['enter']> {
    const now = this.clock.wallNow();
    const known = this.jobs.get(job) ?? { tick: now, term, run: '' };
    if (known.term > term) return Promise.resolve(null);
    this.jobs.set(job, { ...known, term });
    return Promise.resolve({ tick: known.tick, now });
  }

  private outcomeOf({ job, tick, term, run }: TickStart): TickOutcome {
    const known = this.jobs.get(job);
    if (known && known.term > term) return 'deposed';
    if (tick > this.clock.wallNow() + 1_000) return 'early';
    if (known && known.tick >= tick) return known.tick === tick && known.run === run ? 'started' : 'repeated';
    this.jobs.set(job, { tick, term, run });
    return 'started';
  }
}

/** The processes of a cluster in memory. Entries stay until they are removed. */
export class FakeRegistry implements Registry {
  private readonly entries = new Map<string, ProcessEntry>();

  put(entry: ProcessEntry, options: { unlessPresent?: boolean } = {}): Promise<string | null> {
    const before = this.entries.get(entry.processId);
    if (options.unlessPresent && before && before.bootId !== entry.bootId)
      return Promise.reject(new DuplicateNodeIdError(entry.nodeId));
    this.entries.set(entry.processId, entry);
    return Promise.resolve(before?.bootId ?? null);
  }

  touch(processId: string, lastSeen: string): Promise<void> {
    const entry = this.entries.get(processId);
    if (!entry) return Promise.reject(new UnknownProcessError(processId));
    this.entries.set(processId, { ...entry, lastSeen });
    return Promise.resolve();
  }

  read(): Promise<RegistrySnapshot> {
    return Promise.resolve({ entries: [...this.entries.values()], leaderId: null });
  }

  remove(processId: string): Promise<boolean> {
    return Promise.resolve(this.entries.delete(processId));
  }

  present(candidateIds: readonly string[]): Promise<Set<string>> {
    return Promise.resolve(new Set(candidateIds));
  }
}

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
  };
}
