import { RedisScript } from '@detector-cluster/election/internal/redis';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { readJson } from '../shared/read-json.js';
import { replaceDirective } from './scripts.generated.js';

/**
 * An operator's directive for a worker. `cordoned`: the worker keeps its units and gets no new ones. `draining`: it gets no
 * new units, and its own move to other workers, a few at a time, make before break; after 5 min all at once.
 */
export interface WorkerDirective {
  readonly standing: 'cordoned' | 'draining';
  /** ISO 8601. A worker that is drained twice keeps the first time. */
  readonly since: string;
}

/** The standings that an operator can set; `open`: the worker takes part as usual. */
export type WorkerStanding = WorkerDirective['standing'] | 'open';

export const STANDINGS: readonly WorkerStanding[] = ['open', 'cordoned', 'draining'];

/** The result of setting a directive. */
export interface WorkerStandingResult {
  /** The present standing of the worker. */
  readonly standing: WorkerStanding;
  /** ISO 8601: when the standing began; null for `open`. */
  readonly since: string | null;
  /** The standing before this call. */
  readonly former: WorkerStanding;
  /** False: an earlier call had already set it. */
  readonly changed: boolean;
}

const replaceScript = new RedisScript<0 | 1>(replaceDirective);

/**
 * How long a directive outlives its worker's removal from the master's configuration: during a rolling update the process
 * that receives a request may already know a worker that the master does not. Milliseconds.
 */
const GRACE = 3_600_000;

export interface WorkerDirectives {
  /** Worker id → directive. */
  readonly directives: ReadonlyMap<string, WorkerDirective>;
  /** Workers whose field was unusable, sorted. That of a configured worker stays, because a newer version may have written it. */
  readonly unreadable: readonly string[];
}

/**
 * The operators' directives, one hash field per worker, so that they outlive processes and masters. Any process writes, and
 * the last write wins; the master reads. A worker without a field works as usual. Redis errors pass through.
 */
export class DirectiveStore {
  /** The hash. */
  readonly key: string;

  constructor(
    private readonly redis: Redis,
    keys: Pick<ClusterKeys, 'directives'>,
    private readonly wallNow: () => number = Date.now,
  ) {
    this.key = keys.directives;
  }

  /**
   * Sets the standing of a worker. Of several equal calls, one changes it. Setting the same standing again changes nothing, so `since`
   * keeps its start. Another standing begins now: `draining` starts the drain of a cordoned worker, `cordoned` stops a drain where it is.
   * @param worker its id, a URL without credentials
   */
  async set(worker: string, standing: WorkerStanding): Promise<WorkerStandingResult> {
    for (;;) {
      const text = await this.redis.hget(this.key, worker);
      const before = text === null ? null : readDirective(text);
      const former = before?.standing ?? 'open';
      // A field that cannot be read goes, whatever is set.
      if (former === standing && (before !== null || text === null))
        return { standing, since: before?.since ?? null, former, changed: false };
      const since = standing === 'open' ? null : new Date(this.wallNow()).toISOString();
      const after = since === null ? '' : JSON.stringify({ standing, since });
      const stored = await replaceScript.run(this.redis, [this.key], [worker, text ?? '', after]);
      if (stored === 1) return { standing, since, former, changed: true };
    }
  }

  /**
   * For the master. Then removes the directives of workers that are not configured, unreadable fields included, so that a worker that
   * returns months later is not drained. Directives less than an hour old stay.
   * @param configured ids of the configured workers
   */
  async readAll(configured: readonly string[]): Promise<WorkerDirectives> {
    const known = new Set(configured);
    const young = this.wallNow() - GRACE;
    const directives = new Map<string, WorkerDirective>();
    const unreadable: string[] = [];
    const forgotten: string[] = [];
    for (const [worker, text] of Object.entries(await this.redis.hgetall(this.key))) {
      const directive = readDirective(text);
      if (directive === null) unreadable.push(worker);
      else directives.set(worker, directive);
      if (!known.has(worker) && (directive === null || Date.parse(directive.since) <= young))
        forgotten.push(worker);
    }
    if (forgotten.length > 0) await this.redis.hdel(this.key, ...forgotten);
    return { directives, unreadable: unreadable.sort() };
  }
}

const schema = z.object({
  standing: z.enum(['cordoned', 'draining']),
  since: z.iso.datetime({ offset: true }),
});

/** Parses a field of the hash; null when this process does not understand it. */
const readDirective = (text: string): WorkerDirective | null => readJson(schema, text);
