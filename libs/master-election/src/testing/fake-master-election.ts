import { randomUUID } from 'node:crypto';
import { type AcquisitionReason, Elector, type Lease, type LossReason } from '@detector-cluster/election';
import type { ClusterConnectionsOptions } from '../participant/cluster-connections.js';
import type { Cluster } from '../participant/cluster.js';
import { ElectionStoppedError } from '../shared/errors.js';
import type { MasterElectionEvents } from '../shared/master-election-events.js';
import { MasterElection } from '../election/master-election.js';
import type { MasterElectionOptions } from '../shared/master-election-options.js';
import { resolveOptions } from '../shared/resolve-options.js';
import { candidateIdOf } from '../registry/process-entry.js';
import { FakeBackend } from './fake-backend.js';
import { entryOf, FakeCluster, type FakeProcess } from './fake-cluster.js';
import { FakeRegistry } from './fake-registry.js';

/** `runOnce` in memory: completed work stays completed while this object lives. */
class FakeOnce {
  private readonly works = new Map<string, Promise<void>>();
  private readonly electors = new Set<Elector>();
  private readonly stopping = new AbortController();

  async run(key: string, work: (lease: Lease) => unknown): Promise<boolean> {
    for (let other = this.works.get(key); other; other = this.works.get(key))
      if (await other.then(isDone, isNotDone)) return false;
    this.stopping.signal.throwIfAborted();
    const running = this.work(work);
    this.works.set(key, running);
    try {
      await running;
      return true;
    } catch (error) {
      this.works.delete(key);
      throw error;
    }
  }

  /** Aborts work in progress. */
  async stop(): Promise<void> {
    this.stopping.abort(new ElectionStoppedError());
    await Promise.all([...this.electors].map((elector) => elector.stop()));
  }

  private async work(work: (lease: Lease) => unknown): Promise<void> {
    const backend = new FakeBackend();
    const elector = new Elector({ backend, candidate: { id: 'once' } });
    this.electors.add(elector);
    try {
      backend.grant('vacant');
      elector.start();
      await this.acquired(elector);
      const lease = elector.lease!;
      await work(lease);
      lease.signal.throwIfAborted();
    } finally {
      this.electors.delete(elector);
      await elector.stop();
    }
  }

  private acquired(elector: Elector): Promise<void> {
    const { signal } = this.stopping;
    return new Promise((resolve, reject) => {
      elector.once('acquired', () => resolve());
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }
}

const isDone = () => true;
const isNotDone = () => false;

/** Options of a `FakeMasterElection`, all optional. */
export interface FakeMasterElectionOptions extends Pick<
  MasterElectionOptions,
  'identifier' | 'nodeId' | 'metadata' | 'capabilities'
> {
  /** Name of the election, as given to `forFeature`. Default: that of `forRoot`. */
  readonly name?: string;
}

/** The fake never connects to it. */
const NOWHERE = 'redis://fake.invalid';

/**
 * A `MasterElection` for unit tests, without a server: the test controls everything that happens. It is the real class over a fake
 * store, so leases, events and their order are those of the real one. Terms are 1, 2, 3 and so on.
 *
 * Its methods join the cluster if Nest has not done so yet. They resolve after the listeners of the resulting events have been
 * called. End it with `stop()`, or by closing the application that provides it.
 */
export class FakeMasterElection extends MasterElection {
  private readonly store: FakeBackend;
  private readonly registry = new FakeRegistry();
  private readonly onceWork = new FakeOnce();

  constructor({ name, ...options }: FakeMasterElectionOptions = {}) {
    const backend = new FakeBackend();
    super(resolveOptions({ ...options, redis: NOWHERE, backend }, randomUUID, name));
    this.store = backend;
  }

  /** Makes this process master, unless it is already. */
  async becomeMaster(reason: AcquisitionReason = 'vacant'): Promise<Lease> {
    await this.onApplicationBootstrap();
    if (this.lease) return this.lease;
    const { entries } = await this.registry.read();
    const others = entries.filter(({ nodeId }) => nodeId !== this.getNodeId());
    const events = others.map(({ nodeId }) =>
      this.heard('slave-registered', (slave) => slave.nodeId === nodeId),
    );
    await this.until('master-acquired', () => this.store.grant(reason));
    await Promise.all(events);
    return this.lease!;
  }

  /** Ends the term and leaves the cluster without a master. For a handover that waits for work call `resign()` or `stop()`. */
  async loseMaster(reason: LossReason = 'refused'): Promise<void> {
    if (!this.lease) return;
    const { term } = this.store;
    await this.until('master-lost', () =>
      this.store.become({ role: 'follower', leaderId: null, term, reason }),
    );
  }

  /** Makes another process master, in the next term. Registers it if necessary. */
  async followMaster(nodeId = 'other'): Promise<void> {
    await this.onApplicationBootstrap();
    const entry = entryOf({ nodeId });
    if (!(await this.isRegistered(nodeId))) await this.registry.put(entry);
    const leaderId = candidateIdOf(entry);
    if (this.masterId === leaderId) return;
    await this.loseMaster();
    const term = this.store.term + 1;
    const completes = this.getStatus().leaderId === null;
    const change = () => this.store.become({ role: 'follower', leaderId, term });
    if (completes) await this.until('election-completed', change);
    else {
      change();
      while (this.masterId !== leaderId) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Suspends this master: it keeps the role but may not act, and `lease.isValid()` is false. */
  async suspend(): Promise<void> {
    const { lease } = this;
    if (lease?.isValid())
      await this.until('master-suspended', () => this.store.report({ role: 'suspended', term: lease.term }));
  }

  /** Ends {@link suspend}: the master may act again, in the same term. */
  async resume(): Promise<void> {
    if (this.lease && !this.lease.isValid()) await this.until('master-resumed', () => this.store.repeat());
  }

  /** Adds another process to the cluster. If this process is not master, it reports the slave once it is. */
  async addSlave(process: FakeProcess): Promise<void> {
    const { nodeId } = process;
    const known = await this.isRegistered(nodeId);
    const events = !known && this.lease && this.heard('slave-registered', (slave) => slave.nodeId === nodeId);
    await this.registry.put(entryOf(process));
    await events;
  }

  /** Removes a process from the cluster. */
  async removeSlave(nodeId: string): Promise<void> {
    const known = await this.isRegistered(nodeId);
    const events = known && this.lease && this.heard('slave-removed', (removed) => removed === nodeId);
    await this.registry.remove(nodeId);
    await events;
  }

  /** Makes the store fail until the next call that changes its state. Does not end a term. */
  async fail(error: Error): Promise<void> {
    await this.onApplicationBootstrap();
    this.store.report({ role: 'error', error });
    while (this.getStatus().storeFailingFor === null) await new Promise((resolve) => setImmediate(resolve));
  }

  override runOnce(key: string, work: (lease: Lease) => unknown): Promise<boolean> {
    return this.onceWork.run(key, work);
  }

  override async stop(): Promise<void> {
    await this.onceWork.stop();
    await super.stop();
  }

  override async onModuleDestroy(): Promise<void> {
    await Promise.all([super.onModuleDestroy(), this.onceWork.stop()]);
  }

  /** @internal */
  protected override connect({ options, onState }: ClusterConnectionsOptions): Cluster {
    const { store: backend, registry } = this;
    const { handoverTimeout } = options;
    return new FakeCluster({
      backend,
      registry,
      candidateId: candidateIdOf(options),
      handoverTimeout,
      onState,
    });
  }

  private async isRegistered(id: string): Promise<boolean> {
    const { entries } = await this.registry.read();
    return entries.some(({ nodeId }) => nodeId === id);
  }

  private async until(event: keyof MasterElectionEvents, act: () => void): Promise<void> {
    const heard = this.heard(event, () => true);
    act();
    await heard;
  }

  private heard<Event extends keyof MasterElectionEvents>(
    event: Event,
    isIt: (...args: MasterElectionEvents[Event]) => boolean,
  ): Promise<void> {
    return new Promise((resolve) => {
      const listener = (...args: MasterElectionEvents[Event]) => {
        if (!isIt(...args)) return;
        this.off(event, listener as never);
        resolve();
      };
      this.on(event, listener as never);
    });
  }
}
