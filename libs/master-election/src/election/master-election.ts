import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Lease } from '@detector-cluster/election';
import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { ClusterConnections, type ClusterConnectionsOptions } from '../participant/cluster-connections.js';
import { type Cluster, directoryOf, slaveOf } from '../participant/cluster.js';
import { electionBounds } from '../participant/election-bounds.js';
import { ElectionParticipant } from '../participant/election-participant.js';
import { ElectionNotStartedError, ElectionStoppedError } from '../shared/errors.js';
import { RESOLVED_MASTER_ELECTION_OPTIONS } from '../shared/master-election.tokens.js';
import { MembershipWatch } from '../registry/membership-watch.js';
import type { ProcessInfo, ProcessRole, RegisteredProcess, SlaveNode } from '../shared/process-info.js';
import type { RunOnceOptions } from './once-call.js';
import { OnceRunner } from './once-runner.js';
import {
  DEFAULT_ELECTION_NAME,
  findCapabilityProblems,
  findJsonProblem,
  findNameProblem,
} from '../shared/resolve-options.js';
import type { ResolvedMasterElectionOptions } from '../shared/master-election-options.js';
import { candidateIdOf, channelOf } from '../registry/process-entry.js';
import { type Refusal, SelfRegistration } from '../registry/self-registration.js';
import { ExpiredLeader } from '../registry/expired-leader.js';
import { FIRST_FORMATS, understoodLevel } from '../registry/format-levels.js';
import { ListedTimer } from '../schedule/listed-timer.js';
import type { TickRecord } from '../schedule/tick-record.js';

/** The parts that exist from `start` to `stop`. */
interface Parts {
  readonly connections: Cluster;
  readonly self: SelfRegistration;
  readonly membership: MembershipWatch;
}

const seconds = (ms: number) => `${ms / 1_000} s`;

/** Name of the heartbeat in the `SchedulerRegistry`. */
const heartbeatKeyOf = (election: string) =>
  election === DEFAULT_ELECTION_NAME ? 'master-election:heartbeat' : `master-election:${election}:heartbeat`;

/**
 * This process's part in the cluster: competes for the role of master, keeps itself in the process registry, and on the
 * master reports which processes join and leave.
 *
 * Nest starts and stops it. Code that acts as master must call `lease.isValid()` immediately before every action, and pass
 * `lease.term` to every resource that can fence.
 */
@Injectable()
export class MasterElection
  extends ElectionParticipant
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly onceRunner: OnceRunner;
  private readonly expired = new ExpiredLeader();
  private metadata: Readonly<Record<string, unknown>>;
  private redis: Redis | undefined;
  private parts: Parts | undefined;
  private joining: Promise<void> | undefined;
  private steppingDown: Promise<void> | undefined;
  private onRegistered: () => void = () => undefined;
  /** @internal Resolves when this process is registered. Before that, it reads nothing that other processes have written. */
  readonly registered = new Promise<void>((resolve) => (this.onRegistered = resolve));

  constructor(
    @Inject(RESOLVED_MASTER_ELECTION_OPTIONS) private readonly options: ResolvedMasterElectionOptions,
    @Optional() @Inject(SchedulerRegistry) private readonly scheduler = new SchedulerRegistry(),
  ) {
    super(options);
    this.metadata = options.metadata;
    this.onceRunner = new OnceRunner(
      options,
      () => this.commands(),
      (error) => this.fire('error', error),
    );
  }

  /**
   * Joins the cluster; Nest calls it. Resolves when an election is completed, no matter how long the store is unavailable.
   * @throws DuplicateNodeIdError, ElectionStoppedError, FormatLevelError
   */
  async start(): Promise<void> {
    await this.join();
    await this.rounds.wait();
  }

  /** Steps down, leaves the registry and closes all connections; Nest calls it. Cannot be started again. Idempotent. */
  async stop(): Promise<void> {
    await this.stepDown();
    await this.unregister();
    await this.disconnect();
  }

  /**
   * Resolves when there is a leader: true if it is this process. Rejects at once before the election has begun, because waiting in
   * `onModuleInit` would block the start: Nest begins the election in `onApplicationBootstrap`, after that hook.
   * @throws ElectionNotStartedError, ElectionTimeoutError, ElectionStoppedError, DuplicateNodeIdError, FormatLevelError; RangeError for a
   *   bad `timeoutMs`
   */
  override waitForElectionComplete(timeoutMs = 30_000): Promise<boolean> {
    if (!this.joining && !this.leaving) return Promise.reject(new ElectionNotStartedError());
    return super.waitForElectionComplete(timeoutMs);
  }

  /** Steps down if this process is master, so that another can take over. This process keeps competing. */
  async resign(): Promise<void> {
    await this.parts?.connections.elector.resign();
  }

  /**
   * Lets one process of the cluster do work for all, such as migrations or seeding; it does not need to be master. Resolves when
   * the work is done: true in the process that did it, false in all others, including those that call later.
   *
   * The work is done at least once. Two processes run it at the same time only if it continues after `lease.signal` aborts.
   * If a process dies, another one starts the work from the beginning: make it idempotent or transactional. If the work rejects,
   * this call rejects with the same error and another process tries. Each `key` identifies separate work. Can be called before the
   * election has begun, in `onModuleInit`. The record is in Redis, even with another `backend`.
   *
   * @throws OnceTimeoutError, ElectionStoppedError, TypeError for the key, RangeError for an option
   */
  runOnce(key: string, work: (lease: Lease) => unknown, options?: RunOnceOptions): Promise<boolean> {
    return this.onceRunner.run(key, work, options);
  }

  /** Name of the lock that the processes compete for. */
  getLockName(): string {
    return this.options.lockName;
  }

  getNodeId(): string {
    return this.options.nodeId;
  }

  /** Unique for each start of the process; {@link RegisteredProcess.bootId} of its registration. */
  getBootId(): string {
    return this.options.bootId;
  }

  getIdentifier(): string {
    return this.options.identifier;
  }

  /**
   * Replaces the metadata of this process and publishes it; retries if publishing fails.
   * @throws TypeError when the metadata cannot be represented as JSON.
   */
  setMetadata(metadata: Record<string, unknown>): void {
    const problem = findJsonProblem(metadata);
    if (problem) throw new TypeError(`metadata ${problem}`);
    this.metadata = structuredClone(metadata);
    this.parts?.self.change({ metadata: this.metadata });
  }

  getMetadata(): Record<string, unknown> {
    return structuredClone(this.metadata);
  }

  /**
   * Registers a process for 45 s. For another process, the caller must call `updateProcessHeartbeat` in time. This process registers
   * and renews itself; for it, the call updates the capabilities and ends the effect of `unregisterProcess`.
   * @throws TypeError for a bad `processId`, `channelName` or capability
   */
  async registerProcess(process: ProcessInfo): Promise<void> {
    const problem = findNameProblem(process.processId);
    if (problem) throw new TypeError(`processId ${problem}`);
    const { processId, role, capabilities, channelName = channelOf(processId) } = process;
    if (channelName !== channelOf(processId))
      throw new TypeError(`channelName must be ${JSON.stringify(channelOf(processId))}, or left out`);
    const problems = findCapabilityProblems(capabilities);
    if (problems.length > 0) throw new TypeError(problems.join('; '));
    const { connections, self } = this.joined();
    if (processId === this.options.nodeId) return self.register({ capabilities });
    const now = new Date().toISOString();
    const { identifier, bootId } = this.options;
    await connections.registry.put({
      processId,
      nodeId: processId,
      identifier,
      role,
      lastSeen: now,
      registeredAt: now,
      capabilities,
      metadata: {},
      bootId,
      showsPresence: false,
      formatLevel: understoodLevel(),
    });
  }

  /**
   * Renews a registration for 45 s.
   * @throws UnknownProcessError when the process is not registered.
   */
  async updateProcessHeartbeat(processId: string): Promise<void> {
    const { connections, self } = this.joined();
    if (processId === this.options.nodeId) await self.register({});
    else await connections.registry.touch(processId, new Date().toISOString());
  }

  /** Removes a registration. This process stays out until `registerProcess` is called for it. */
  async unregisterProcess(processId: string): Promise<void> {
    const { connections, self } = this.joined();
    if (processId === this.options.nodeId) await self.leave();
    else await connections.registry.remove(processId);
  }

  /** All live processes, with the roles that follow from the lease at the moment of reading. */
  async getAllProcesses(): Promise<RegisteredProcess[]> {
    const { registry, elector } = this.joined().connections;
    const snapshot = await registry.read();
    // Only the default backend keeps its lease beside the registry.
    return directoryOf(snapshot, this.options.backend ? elector.leaderId : snapshot.leaderId);
  }

  /**
   * Which of these processes may not run, by node id; never this one. They have closed their presence connection, because they have died
   * or are about to connect again: a process that stays without one for 3 s loses its registration. On the master, also the process whose
   * lease ran out before the present term, until it renews its registration: it may be frozen, with open connections.
   */
  async getAbsent(processes: readonly RegisteredProcess[]): Promise<ReadonlySet<string>> {
    const others = processes.filter(({ nodeId }) => nodeId !== this.options.nodeId);
    const shown = others.filter(({ showsPresence }) => showsPresence);
    const present = await this.joined().connections.registry.present(shown.map(candidateIdOf));
    const absent = shown.filter((process) => !present.has(candidateIdOf(process)));
    const frozen = others.filter((process) => this.expired.isSilent(process));
    return new Set([...absent, ...frozen].map(({ nodeId }) => nodeId));
  }

  async getMasterProcess(): Promise<RegisteredProcess | null> {
    return (await this.getProcessesByRole('master'))[0] ?? null;
  }

  async getProcessesByRole(role: ProcessRole): Promise<RegisteredProcess[]> {
    return (await this.getAllProcesses()).filter((process) => process.role === role);
  }

  /**
   * The level of formats that the cluster writes: in Redis, and in messages between processes. It rises when all processes have understood
   * a higher one for 45 s, and never falls. A process that understands less cannot join any more.
   */
  get formatLevel(): number {
    return (this.parts?.connections.registry.written ?? FIRST_FORMATS).level;
  }

  /** Channel for messages to a process: `worker:slave:<processId>`. */
  getProcessChannel(processId: string): string {
    return channelOf(processId);
  }

  /** All live processes except the master. */
  async getSlaves(): Promise<SlaveNode[]> {
    return (await this.getProcessesByRole('slave')).map(slaveOf);
  }

  async getSlave(nodeId: string): Promise<SlaveNode | null> {
    return (await this.getSlaves()).find((slave) => slave.nodeId === nodeId) ?? null;
  }

  async getSlaveCount(): Promise<number> {
    return (await this.getProcessesByRole('slave')).length;
  }

  /** Waits for the first attempt to register, at most about a second. Does not wait for an unavailable store. */
  async onApplicationBootstrap(): Promise<void> {
    await this.join();
  }

  async onModuleDestroy(): Promise<void> {
    await this.stepDown();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.unregister();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.disconnect();
  }

  /** @internal The record of the starts of scheduled jobs. */
  get ticks(): TickRecord {
    return this.joined().connections.ticks;
  }

  /**
   * @internal Registers this process again if its registration has ended while it was paused.
   * @throws what prevents it; then this process must not act on what others have written
   */
  async confirmRegistration(): Promise<void> {
    await this.joined().self.confirm();
  }

  /** @internal A timer of a library above this one, under this name among the intervals of the `SchedulerRegistry`. */
  timer(key: string): ListedTimer {
    return new ListedTimer({ registry: this.scheduler, kind: 'interval', key });
  }

  /** @internal `FakeMasterElection` overrides this, because it has no server. */
  protected connect(options: ClusterConnectionsOptions): Cluster {
    return new ClusterConnections(options);
  }

  private join(): Promise<void> {
    if (this.leaving) return Promise.reject(new ElectionStoppedError());
    return (this.joining ??= this.open());
  }

  private async open(): Promise<void> {
    const parts = this.assemble();
    const { connections, self } = parts;
    this.parts = parts;
    this.log();
    this.begin();
    try {
      await self.start();
    } catch (error) {
      await this.refuse(error as Refusal);
      throw error;
    }
    if (this.leaving) return;
    connections.elector.start();
  }

  private assemble(): Parts {
    const { nodeId, identifier, bootId, capabilities, namedNode } = this.options;
    const onError = (error: Error) => this.fire('error', error);
    const connections = this.connect({
      options: this.options,
      commands: () => this.commands(),
      onWarning: (message) => this.logger.warn(message),
      onConnected: () => {
        membership.reconnected();
        void self.refresh();
      },
      onPresent: () => self.change({ showsPresence: true }),
      onState: (state) => this.observe(state),
    });
    const { registry, elector, lookInterval } = connections;
    const self = new SelfRegistration({
      registry,
      heartbeat: { scheduler: this.scheduler, key: heartbeatKeyOf(this.options.name) },
      entry: {
        processId: nodeId,
        nodeId,
        identifier,
        bootId,
        registeredAt: new Date().toISOString(),
        capabilities,
        metadata: this.metadata,
        showsPresence: false,
        formatLevel: understoodLevel(),
      },
      refuseNamesake: namedNode,
      role: () => (elector.lease ? 'master' : 'slave'),
      onError,
      onRegistered: () => this.onRegistered(),
      onRefused: (error) => {
        this.fire('error', error);
        void this.refuse(error);
      },
    });
    const membership = new MembershipWatch({
      registry,
      nodeId,
      lookInterval,
      onJoined: (entry) => this.fire('slave-registered', slaveOf(entry)),
      onLeft: (left) => this.fire('slave-removed', left),
      onRaised: ({ level, version }) =>
        this.logger.log(
          `all processes understand formats of level ${level}, which are written from now on: versions before ${version} can no longer join`,
        ),
      onError,
    });

    this.follow(elector);
    elector.on('follower', ({ leaderId }) => this.expired.followed(leaderId));
    elector.on('lost', () => void self.refresh());
    elector.on('acquired', ({ reason, term }) => {
      this.expired.acquired(reason);
      const { lease } = elector;
      if (lease?.term === term) membership.watch(lease);
      void self.refresh();
    });
    return { connections, self, membership };
  }

  private log(): void {
    const { lockName, nodeId, backend } = this.options;
    this.logger.log(`joining '${lockName}' as ${nodeId}`);
    if (backend) return;
    const { killed, lost, storeRestarted } = electionBounds(this.options);
    this.logger.log(
      'another process is master at once when one stops, ' +
        `within ${seconds(killed)} when its process dies, within ${seconds(lost)} when it freezes or is cut off, ` +
        `and ${seconds(storeRestarted)} after Redis was restarted; if the timing of the processes differs, the longest counts`,
    );
  }

  private joined(): Parts {
    if (!this.parts) throw new ElectionStoppedError();
    return this.parts;
  }

  private async refuse(error: Refusal): Promise<void> {
    this.rounds.end(error);
    await this.stepDown();
    await this.unregister();
    await this.disconnect();
  }

  private stepDown(): Promise<void> {
    this.leaving = true;
    return (this.steppingDown ??= this.endLeadership());
  }

  private async endLeadership(): Promise<void> {
    // The next master must not give partitions to a process that ends.
    await this.parts?.self.retire();
    await Promise.all([this.parts?.connections.elector.stop(), this.onceRunner.stop()]);
    this.rounds.end(new ElectionStoppedError());
    await this.parts?.membership.ended();
  }

  private async unregister(): Promise<void> {
    // If the store is unavailable, the entry expires by itself.
    await this.parts?.self.leave().catch(() => undefined);
  }

  private async disconnect(): Promise<void> {
    const parts = this.parts;
    this.parts = undefined;
    this.forget();
    parts?.self.stop();
    await parts?.connections.close();
    if (this.redis) closeRedis(this.redis);
  }

  /** One connection for the registry, scheduled jobs and `runOnce`, which may be called before this process joins. */
  private commands(): Redis {
    this.redis ??= openRedis(this.options.redis, {
      ...commandSettings,
      connectionName: 'master-election:commands',
    });
    return this.redis;
  }
}
