import {
  electionKeys,
  candidateOfOwner,
  KeyGuard,
  listenerCount,
  RedisScript,
} from '@detector-cluster/election/internal/redis';
import { boundedCall, COMMAND_TIMEOUT, StoreError, databaseOf } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { DuplicateNodeIdError, FormatLevelError, UnknownProcessError } from '../shared/errors.js';
import { FIRST_FORMATS, type WrittenFormats } from './format-levels.js';
import { candidateIdOf, parseProcessEntry, type ProcessEntry } from './process-entry.js';
import { put, raiseFormats, read, remove } from './scripts.generated.js';

/**
 * Keys and channels of the process registry, and those of the election that it reads.
 * @param database number of the Redis database that holds the keys
 */
export function registryKeys(lockName: string, database = 0) {
  const { lease, presence } = electionKeys(lockName, database);
  return {
    /** Hash: the lease record of the election. */
    lease,
    /** Prefix of channels: each process subscribes to `<presence><candidate id>` while it lives. */
    presence,
    /** Hash: process id → entry (JSON), each with its own time to live. */
    processes: `${lockName}:processes`,
    /** Sorted set: process id → expiry time in ms, on servers that cannot expire single fields of a hash. */
    expiry: `${lockName}:processes:expiry`,
    /** String: the master's entry (JSON), for external readers. */
    masterProcess: `${lockName}:master_process`,
    /** Hash: the level of formats that the cluster writes, the first version that understands it, the term that has raised it. */
    formats: `${lockName}:formats`,
  };
}

/** An entry expires if it is not renewed within this time. Seconds. */
export const PROCESS_TTL_SECONDS = 45;

/** All live entries, and the candidate that holds the lease at the same moment. */
export interface RegistrySnapshot {
  readonly entries: readonly ProcessEntry[];
  readonly leaderId: string | null;
}

interface PutOptions {
  /** Refuse when a live process of another start has this id. */
  readonly unlessPresent?: boolean;
  /** Refuse when the stored entry differs from this one. */
  readonly expected?: string;
}

const PutReply = { Changed: 0, Written: 1, Present: -1, Outdated: -2 } as const;

type Put = [code: number, level?: number, version?: string, bootBefore?: string];

const putScript = new RedisScript<Put>(put);
const raiseScript = new RedisScript<number>(raiseFormats);
const readScript = new RedisScript<[owner: string | null, fields: string[], level: number, version: string]>(
  read,
);
const removeScript = new RedisScript<number>(remove);

const TOUCH_ATTEMPTS = 5;

/**
 * The live processes of a cluster: one hash whose entries expire unless they are renewed. Works the same on servers with and
 * without expiry of single hash fields. Every call is bounded in time and safe to repeat.
 */
export class ProcessRegistry {
  private readonly keys: ReturnType<typeof registryKeys>;
  private readonly guard: KeyGuard;
  private known = FIRST_FORMATS;

  constructor(
    private readonly redis: Redis,
    lockName: string,
    private readonly ttlSeconds: number = PROCESS_TTL_SECONDS,
    /** Another program has changed the type of a key; a sentence that names it. */
    onSetAside: (message: string) => void = () => undefined,
  ) {
    this.guard = new KeyGuard(redis, false, onSetAside);
    this.keys = registryKeys(lockName, databaseOf(redis));
  }

  /** The formats that the cluster writes, as the last call has read them. They never go back. */
  get written(): WrittenFormats {
    return this.known;
  }

  /**
   * Writes an entry, new or existing, and renews its time to live.
   * @returns Boot id of the replaced entry; `null` when there was none.
   * @throws DuplicateNodeIdError with `unlessPresent`; FormatLevelError if the process understands less than the cluster writes
   */
  async put(entry: ProcessEntry, options: PutOptions = {}): Promise<string | null> {
    const [code, , , bootBefore] = await this.write(entry, options);
    if (code === PutReply.Present) throw new DuplicateNodeIdError(entry.nodeId);
    return bootBefore || null;
  }

  /**
   * Renews the entry of a process.
   * @throws UnknownProcessError when it has no entry.
   */
  async touch(processId: string, lastSeen: string): Promise<void> {
    for (let attempt = 0; attempt < TOUCH_ATTEMPTS; attempt++) {
      const { fields } = await this.fetch();
      const expected = fields.get(processId);
      const entry = expected === undefined ? undefined : parseProcessEntry(expected);
      if (expected === undefined || !entry) throw new UnknownProcessError(processId);
      const [code] = await this.write({ ...entry, lastSeen }, { expected });
      if (code === PutReply.Written) return;
    }
    throw new Error(`the entry of process '${processId}' kept changing`);
  }

  /** All live entries. Skips values that are not valid entries. */
  async read(): Promise<RegistrySnapshot> {
    const { owner, fields } = await this.fetch();
    return {
      entries: [...fields.values()].map(parseProcessEntry).filter((entry) => entry !== undefined),
      leaderId: owner === null ? null : candidateOfOwner(owner),
    };
  }

  /**
   * Has the cluster write these formats from now on, unless a registered process understands less, or the master of a later term has
   * raised the level. {@link written} shows the outcome.
   */
  async raiseFormats(term: number, formats: WrittenFormats): Promise<void> {
    const { expiry, formats: key, processes } = this.keys;
    const { level, version } = formats;
    const code = await this.bounded(() =>
      raiseScript.run(this.redis, [processes, expiry, key], [term, level, version]),
    );
    if (code === 1) this.learn(formats);
  }

  /** Removes an entry; with `bootId`, only if it belongs to that start of the process. Returns whether it did. */
  async remove(processId: string, bootId = ''): Promise<boolean> {
    const { processes, expiry, masterProcess } = this.keys;
    const removed = await this.bounded(() =>
      removeScript.run(this.redis, [processes, expiry, masterProcess], [processId, bootId]),
    );
    return removed === 1;
  }

  /**
   * Returns which of these candidates hold their presence connection. Returns all of them if the server does not permit the
   * query, so that no process is considered dead without a reason.
   */
  async present(candidateIds: readonly string[]): Promise<Set<string>> {
    if (candidateIds.length === 0) return new Set();
    const channels = candidateIds.map((id) => this.keys.presence + id);
    const ask = () => this.redis.call('PUBSUB', listenerCount(this.redis), ...channels);
    try {
      const reply = (await this.bounded(ask)) as (string | number)[];
      return new Set(candidateIds.filter((_, i) => Number(reply[2 * i + 1]) > 0));
    } catch (error) {
      if (error instanceof StoreError && error.code === 'NOPERM') return new Set(candidateIds);
      throw error;
    }
  }

  private async write(entry: ProcessEntry, options: PutOptions): Promise<Put> {
    const { processes, expiry, formats, lease, masterProcess, presence } = this.keys;
    const reply = await this.bounded(() =>
      putScript.run(
        this.redis,
        [processes, expiry, lease, masterProcess, formats],
        [
          entry.processId,
          JSON.stringify(entry),
          this.ttlSeconds,
          candidateIdOf(entry),
          entry.bootId,
          options.unlessPresent ? presence : '',
          options.expected ?? '',
          listenerCount(this.redis),
          entry.formatLevel,
          this.known.level,
          this.known.version,
        ],
      ),
    );
    const [code, level, version] = reply;
    if (level === undefined || version === undefined) return reply;
    if (code === PutReply.Outdated) throw new FormatLevelError(entry.formatLevel, { level, version });
    this.learn({ level, version });
    return reply;
  }

  private learn(formats: WrittenFormats): void {
    if (formats.level > this.known.level) this.known = formats;
  }

  private async fetch(): Promise<{ owner: string | null; fields: Map<string, string> }> {
    const { processes, expiry, formats, lease } = this.keys;
    const { level, version } = this.known;
    const [owner, flat, writtenLevel, writtenVersion] = await this.bounded(() =>
      readScript.run(this.redis, [processes, expiry, lease, formats], [level, version]),
    );
    this.learn({ level: writtenLevel, version: writtenVersion });
    const fields = new Map<string, string>();
    for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i]!, flat[i + 1]!);
    return { owner, fields };
  }

  /** Repeats a call that fails because a key has another type, once that key was set aside. */
  private async bounded<Reply>(call: () => Promise<Reply>): Promise<Reply> {
    try {
      return await boundedCall(this.redis, COMMAND_TIMEOUT, call);
    } catch (error) {
      if (!(error instanceof StoreError) || !error.message.includes('WRONGTYPE')) throw error;
      const { expiry, formats, masterProcess, processes } = this.keys;
      await this.guard.look(
        new Map([
          [processes, 'hash'],
          [formats, 'hash'],
          [expiry, 'zset'],
          [masterProcess, 'string'],
        ]),
      );
      return await boundedCall(this.redis, COMMAND_TIMEOUT, call);
    }
  }
}

/** What others use of a {@link ProcessRegistry}. */
export type Registry = Pick<ProcessRegistry, keyof ProcessRegistry>;
