import {
  type AppProcess,
  type ClusterStateAnswer,
  get,
  getAll,
  type SeededRandom,
  type SubscriptionAnswer,
} from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import type { ChaosStage } from '../support/chaos-stage.js';
import { pause, until } from '../support/until.js';
import type { WorkerLink } from '../support/worker-link.js';
import { FAULT_KINDS, type FaultKind, type PlannedFault, planRound } from './fault-plan.js';
import { Fleet } from './fleet.js';
import { RedisClients } from './redis-clients.js';
import { PartitionOwners } from './partition-owners.js';

/** A master with so many detections for Redis has a full buffer. */
const FULL = 200;
/** A busy machine may let it read less before its lease ends. Then it reads nothing more, and is killed with what it has. Milliseconds. */
const FILLED_WITHIN = 5_000;
/** After this time, a master that confirms detections too early has confirmed those that it had before. Milliseconds. */
const TIME_TO_CONFIRM = 200;
/** A backend answers in this time, also while Redis is frozen. Milliseconds. */
const ANSWER = 10_000;
/** Connections to Redis that break together. */
const CLIENTS = 2;

/**
 * Documented times without a master with `ELECTION_TIMING=fast`. A killed or isolated master loses its presence connection. A
 * frozen master keeps it, so its lease has to run out. Milliseconds.
 */
const MASTER_KILLED = 1_500;
const MASTER_FROZEN = 4_000;
/** Time for clients to reconnect after Redis was frozen. Milliseconds. */
const RECONNECT = 500;

/** Injects the planned faults into the cluster, round by round, until it is stopped. */
export class Faults {
  /** Rounds that are complete. */
  rounds = 0;
  /** How often each kind has happened. */
  readonly byKind = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  /** Owners that lost their partitions to others while they were isolated. */
  takenForDead = 0;
  /** The longest time that a backend took to end after SIGTERM. Milliseconds. */
  slowestTermination = 0;
  private disconnected = 0;
  private readonly ending = new AbortController();
  private readonly fleet: Fleet;
  private readonly redis: Redis;
  private readonly clients: RedisClients;
  private readonly owners: PartitionOwners;
  private loop: Promise<void> = Promise.resolve();
  private failure: unknown;
  private drained: Promise<void> | undefined;

  constructor(
    private readonly stage: ChaosStage,
    private readonly random: SeededRandom,
    /** Aborts when nothing is to be undone any more, because the whole run is over. */
    private readonly signal: AbortSignal,
  ) {
    this.fleet = new Fleet(stage.cluster.backends);
    this.redis = new Redis(stage.cluster.redis.url);
    this.redis.on('error', () => undefined);
    this.clients = new RedisClients(this.redis);
    this.owners = new PartitionOwners(this.redis, stage.cluster.keyPrefix);
  }

  /**
   * Faults after which detections may be delivered again: one per affected backend or connection, and per freeze of Redis. What workers
   * send again is not among them.
   */
  get blows(): number {
    const { kill, freeze, isolate, terminate, killTwo, freezeRedis, killFull } = this.byKind;
    const killed = kill + 2 * killTwo + 2 * killFull;
    return killed + freeze + isolate + terminate + freezeRedis + this.disconnected;
  }

  start(): void {
    this.loop = this.run();
    this.loop.catch((error: unknown) => (this.failure ??= error));
  }

  /** Throws if a fault could not be done or undone. */
  check(): void {
    this.fleet.check();
    if (this.failure !== undefined) throw this.failure;
  }

  /** Resolves when all faults are undone. Rejects if a fault could not be done or undone. */
  async stop(): Promise<void> {
    this.ending.abort();
    try {
      await this.loop;
      await this.fleet.allWell();
      await this.drained;
    } finally {
      this.redis.disconnect();
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      for (const fault of planRound(this.random)) {
        await this.sleep(fault.pause);
        if (signal.aborted) return;
        if (await this.inflict(fault)) this.byKind[fault.kind]++;
      }
      this.rounds++;
    }
  }

  /** Waits until the fault is possible and does it. @returns false if the run ended before */
  private async inflict(fault: PlannedFault): Promise<boolean> {
    switch (fault.kind) {
      case 'kill':
        return this.harm(fault, 1, MASTER_KILLED, (victim) => this.kill(victim, fault.duration));
      case 'killTwo':
        return this.harm(fault, 2, MASTER_KILLED, (victim) => this.kill(victim, fault.duration));
      case 'freeze':
        return this.harm(fault, 1, MASTER_FROZEN, (victim) => this.freeze(victim, fault.duration));
      case 'isolate':
        return this.isolateOwner(fault);
      case 'terminate':
        return this.harm(fault, 1, 0, (victim) => this.terminate(victim, fault.duration));
      case 'drain':
        return this.drain(fault);
      case 'freezeRedis':
        return this.freezeRedis(fault.duration);
      case 'reset': {
        const link = this.stage.links[Math.floor(fault.victim * this.stage.links.length)]!;
        this.log(`reset ${link.cut()} sockets to ${link.url}`);
        return true;
      }
      case 'tear': {
        const link = this.stage.links[Math.floor(fault.victim * this.stage.links.length)]!;
        this.log(`tear ${link.tear()} connections to ${link.url}`);
        return true;
      }
      case 'killFull':
        return this.killFull(fault);
      case 'disconnect': {
        const dropped = await this.clients.drop(fault.victim, CLIENTS);
        this.disconnected += dropped;
        this.log(`disconnect ${dropped} clients of Redis`);
        return true;
      }
    }
  }

  /**
   * @param withoutMaster documented time until another backend leads, if the victim does. Milliseconds.
   * @param suitable the backends that may be victims at this time. Default all
   */
  private async harm(
    { kind, duration, victim }: PlannedFault,
    count: number,
    withoutMaster: number,
    harm: (victim: AppProcess) => Promise<() => Promise<void>>,
    suitable?: () => Promise<ReadonlySet<AppProcess>>,
  ): Promise<boolean> {
    const victims = await this.possible(async () => {
      const suited = await suitable?.();
      return this.fleet.take(count, victim, (backend) => suited?.has(backend) ?? true) ?? null;
    });
    if (victims === undefined) return false;
    const leads = await Promise.all(victims.map(isMaster));
    const from = Date.now();
    if (leads.includes(true)) this.excuse(from, from + withoutMaster);
    const names = victims.map(({ name }, i) => `${name}${leads[i] ? ' (master)' : ''}`);
    this.log(`${kind} ${names.join(' and ')} for ${duration} ms`);
    const healers = await Promise.all(victims.map(harm));
    for (const [i, heal] of healers.entries()) this.fleet.heal(victims[i]!, heal);
    return true;
  }

  private async kill(victim: AppProcess, away: number): Promise<() => Promise<void>> {
    await victim.crash();
    return () => this.startLater(victim, away);
  }

  private async freeze(victim: AppProcess, ms: number): Promise<() => Promise<void>> {
    victim.pause();
    return async () => {
      await this.sleep(ms);
      victim.resume();
      this.log(`${victim.name} continues`);
    };
  }

  /** Isolates a backend that owns partitions, so that others take them while it lives. */
  private async isolateOwner(fault: PlannedFault): Promise<boolean> {
    const owned = () => this.owners.count(this.stage.cluster.backends);
    const connected = async () => {
      const counts = await owned();
      const owners = this.fleet.unharmed.filter((backend) => counts.has(backend));
      const named = await Promise.all(owners.map(({ name }) => this.clients.hasNamed(name)));
      return new Set(owners.filter((_, i) => named[i]));
    };
    const isolate = async (victim: AppProcess) => {
      victim.pause();
      await this.clients.dropNamed(victim.name);
      return async () => {
        await this.sleep(fault.duration);
        const lost = await owned().then(
          (counts) => !counts.has(victim),
          () => false,
        );
        if (lost) this.takenForDead++;
        victim.resume();
        this.log(`${victim.name} continues and ${lost ? 'has lost' : 'still owns'} its partitions`);
      };
    };
    return this.harm(fault, 1, MASTER_KILLED, isolate, connected);
  }

  private async terminate(victim: AppProcess, away: number): Promise<() => Promise<void>> {
    return async () => {
      const asked = performance.now();
      await victim.shutdown();
      const took = Math.round(performance.now() - asked);
      this.slowestTermination = Math.max(this.slowestTermination, took);
      this.log(`${victim.name} ended after ${took} ms`);
      await this.startLater(victim, away);
    };
  }

  private async startLater(victim: AppProcess, away: number): Promise<void> {
    await this.sleep(away);
    await victim.start();
    this.log(`${victim.name} is up again`);
  }

  /** @param then done before Redis continues */
  private async freezeRedis(ms: number, then?: () => Promise<void>): Promise<boolean> {
    const { redis } = this.stage;
    if (redis === undefined) throw new Error('only a Redis of its own can be frozen');
    const from = Date.now();
    this.log(`freeze Redis for ${ms} ms`);
    redis.pause();
    try {
      await this.sleep(ms);
      await then?.();
    } finally {
      redis.resume();
      this.excuse(from, Date.now() + RECONNECT);
    }
    return true;
  }

  /** Kills the master while what it has read waits for Redis. */
  private async killFull(fault: PlannedFault): Promise<boolean> {
    const fill = async (victim: AppProcess) => {
      await this.freezeRedis(fault.duration, async () => {
        const enough = performance.now() + FILLED_WITHIN;
        await this.possible(
          async () => performance.now() > enough || (await buffered(victim)) >= FULL || null,
        );
        await this.sleep(TIME_TO_CONFIRM);
        // It has run its timers when it answers for the second time.
        for (let answers = 0; answers < 2; answers++) await this.possible(() => buffered(victim));
        await victim.crash();
      });
      const from = Date.now();
      this.excuse(from, from + MASTER_KILLED);
      return () => this.startLater(victim, fault.duration);
    };
    return this.harm(fault, 1, 0, fill, async () => {
      const readers = await Promise.all(this.stage.links.map(readerOf));
      const { unharmed } = this.fleet;
      const leads = await Promise.all(unharmed.map(isMaster));
      // Another master would read nothing while Redis is frozen, so that the fault would show nothing.
      const reads = ({ name }: AppProcess) => readers.every((reader) => reader === name);
      return new Set(unharmed.filter((backend, i) => leads[i] && reads(backend)));
    });
  }

  /** Empties a worker that has cameras, one worker at a time. */
  private async drain({ duration, victim }: PlannedFault): Promise<boolean> {
    await this.drained;
    const link = await this.possible(async () => {
      const used = new Set((await this.subscriptions()).map(({ assignedWorkerUrl }) => assignedWorkerUrl));
      const links = this.stage.links.filter(({ url }) => used.has(url));
      return links[Math.floor(victim * links.length)] ?? null;
    });
    if (link === undefined || (await this.possible(() => this.request('drain', link))) === undefined)
      return false;
    this.log(`drain ${link.url} for ${duration} ms`);
    this.drained = this.sleep(duration).then(async () => {
      await until(this.signal, 'the worker to be opened', () => this.request('uncordon', link));
      this.log(`uncordon ${link.url}`);
    });
    this.drained.catch((error: unknown) => (this.failure ??= error));
    return true;
  }

  private subscriptions(): Promise<SubscriptionAnswer[]> {
    return this.ask((url) => getAll<SubscriptionAnswer>(url, '/api/cluster/subscriptions'));
  }

  private request(what: 'drain' | 'uncordon', link: WorkerLink): Promise<true> {
    return this.ask((backend) => this.stage.operate(what, link, backend));
  }

  /** Asks unharmed backends in turn until one answers. */
  private ask<T>(question: (url: string) => Promise<T>): Promise<T> {
    return this.stage.cluster.ask(question, this.fleet.unharmed);
  }

  /** Waits until there is an answer; undefined if the run ends first. */
  private async possible<T>(probe: () => Promise<T | null> | T | null): Promise<T | undefined> {
    const { signal } = this.ending;
    return until(signal, 'a fault to become possible', () => {
      this.fleet.check();
      return probe();
    }).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
  }

  /** Ends early with the run. */
  private async sleep(ms: number): Promise<void> {
    await pause(ms, this.ending.signal).catch(() => undefined);
  }

  /** In this time nothing can be accepted: Redis was frozen, or it is the documented time without a master. */
  private excuse(from: number, to: number): void {
    this.stage.history.write({ excused: { from, to } });
  }

  private log(what: string): void {
    this.stage.history.write({ fault: { what, at: Date.now() } });
  }
}

/** The name of the backend that gets the detections of a worker. A master names itself `<name>:<random>`. */
async function readerOf(link: WorkerLink): Promise<string | undefined> {
  const { connections } = await link.stats();
  return connections.find(({ current }) => current)?.masterId?.split(':')[0];
}

/** How many detections wait for Redis in a backend. */
async function buffered({ url }: AppProcess): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(ANSWER) });
  return Number(/^detector_cluster_buffered_entries\S* (\d+)$/m.exec(await answer.text())?.[1]);
}

/** A backend that does not answer in time may be the master. */
async function isMaster({ url }: AppProcess): Promise<boolean> {
  const answer = get<ClusterStateAnswer>(url, '/api/cluster/state', 1_000).then((state) => state.isMaster);
  return answer.catch(() => true);
}
