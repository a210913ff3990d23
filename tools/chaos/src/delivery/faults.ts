import type { AppProcess, SeededRandom } from '@detector-cluster/local-cluster';
import type { Stage } from '../support/stage.js';
import { pause } from '../support/until.js';
import { RedisClients } from './redis-clients.js';

/** Milliseconds between two faults. */
const GAP = [100, 1_200] as const;
/** Milliseconds for which a killed backend is away. */
const DOWN = [0, 2_000] as const;
const MOST_CLIENTS = 3;

/** A backend that has been up for so long has had time to take over. Milliseconds. */
const SETTLED = 5_000;

/**
 * Kills backends and cuts connections at random until it is stopped. One backend that has settled always lives: where all are
 * killed before any has taken over, nothing can be delivered, and nothing is learnt.
 */
export class Faults {
  /** Backends that got SIGKILL. */
  kills = 0;
  /** Sockets to workers that were reset, and connections to Redis that were dropped. */
  cuts = 0;
  /** Backend → since when it is up; those that are down are missing. */
  private readonly up = new Map<AppProcess, number>();
  private readonly ending = new AbortController();
  private readonly returning = new Set<Promise<void>>();
  private loop: Promise<void> = Promise.resolve();
  private failure: unknown;
  private readonly clients: RedisClients;

  constructor(
    private readonly stage: Stage,
    private readonly random: SeededRandom,
  ) {
    this.clients = new RedisClients(stage.cluster.redis.url);
    for (const backend of stage.cluster.backends) this.up.set(backend, Number.NEGATIVE_INFINITY);
  }

  start(): void {
    this.loop = this.run();
    this.loop.catch((error: unknown) => (this.failure ??= error));
  }

  /** Throws what went wrong with a fault itself: a backend that did not come back, for instance. */
  check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /** Resolves when every backend runs again. Rejects when a fault could not be done or undone. */
  async stop(): Promise<void> {
    this.ending.abort();
    try {
      await this.loop;
      await Promise.all(this.returning);
    } finally {
      this.clients.close();
    }
  }

  private async run(): Promise<void> {
    const { random } = this;
    const { signal } = this.ending;
    while (!signal.aborted) {
      const kind = random.between(0, 4);
      if (kind < 2) await this.kill();
      else if (kind === 2) this.cuts += random.pick(this.stage.links).cut();
      else this.cuts += await this.clients.drop(random, MOST_CLIENTS);
      await pause(random.between(...GAP), signal).catch(() => undefined);
    }
  }

  private async kill(): Promise<void> {
    const victim = this.random.pick([...this.up.keys()]);
    const settled = [...this.up].filter(([, since]) => performance.now() - since >= SETTLED);
    if (!settled.some(([backend]) => backend !== victim)) return;
    const away = this.random.between(...DOWN);
    this.up.delete(victim);
    await victim.crash();
    this.kills++;
    const back = pause(away, this.ending.signal)
      .catch(() => undefined)
      .then(() => victim.start())
      .then(() => void this.up.set(victim, performance.now()));
    this.returning.add(back);
    back.catch((error: unknown) => (this.failure ??= error));
  }
}
