import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { FencedStore } from '@detector-cluster/election/fence';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { TermOverError } from '../shared/master-errors.js';
import { readJson } from '../shared/read-json.js';

/** A master has given up leadership on request. */
export interface Resignation {
  /** The term that has ended. */
  readonly term: number;
  /** The process that led it. */
  readonly processId: string;
}

const recordSchema = z.object({ requestId: z.string(), term: z.number(), processId: z.string() });

export interface ResignerOptions {
  /** The term that ends. */
  readonly store: FencedStore;
  readonly redis: Redis;
  readonly keys: Pick<ClusterKeys, 'resignation'>;
  readonly processId: string;
  readonly mayAct: () => boolean;
  /** Gives up the present leadership of this process; resolves when the election has recorded it. */
  readonly resign: () => Promise<void>;
}

/** The process that should resign is no longer master, or never was; nothing was done. */
export class MasterChangedError extends Error {
  override readonly name = 'MasterChangedError';
  readonly code = 'MASTER_CHANGED';

  constructor(
    /** The term whose master should resign. */
    readonly asked: number,
    /** The term that leads now. */
    readonly term: number,
    /** The process that leads now. */
    readonly processId: string,
  ) {
    super(
      `term ${asked} is not the current term: ${processId} is master in term ${term} and was not asked to resign`,
    );
  }
}

/**
 * Ends exactly one term at the request of an operator. The request names the term, and the result is stored before the
 * resignation, so that the successor recognises a repetition.
 */
export class Resigner {
  private resigning = false;

  constructor(private readonly options: ResignerOptions) {}

  /** See `MasterControls`. */
  async resign(term: number, requestId: string): Promise<Resignation> {
    const { store, keys, processId, mayAct, resign } = this.options;
    if (term !== store.term) return this.formerly(term, requestId);
    // The successor reports who leads then.
    if (this.resigning) throw new TermOverError(term);
    this.resigning = true;
    try {
      const record: z.infer<typeof recordSchema> = { requestId, term, processId };
      await store.write([['SET', keys.resignation, JSON.stringify(record)]]);
      // If the lease has been lost by now, this would give up a later term.
      if (!mayAct()) throw new TermOverError(term);
    } catch (error) {
      this.resigning = false;
      throw error;
    }
    await resign();
    return { term, processId };
  }

  /** The result of the same request under an earlier master. */
  private async formerly(term: number, requestId: string): Promise<Resignation> {
    const { redis, keys, store, processId } = this.options;
    const record = readJson(recordSchema, await redis.get(keys.resignation));
    if (record?.requestId === requestId && record.term === term) return { term, processId: record.processId };
    throw new MasterChangedError(term, store.term, processId);
  }
}
