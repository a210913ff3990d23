import { createHash, createHmac } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { readJson } from '../stores/read-json.js';
import { SharedRedis } from '../stores/shared-redis.js';

/** For how long a repetition gets the first answer. Milliseconds. */
export const KEPT_FOR = 24 * 60 * 60 * 1_000;

/** Longer than any request takes; a process that dies in the middle blocks its key for this time. Milliseconds. */
const RUNNING_FOR = 60_000;

/** A request with a key, bound to its caller. */
export interface KeyedRequest {
  readonly caller: string;
  readonly key: string;
  readonly method: string;
  /** Path with the query. */
  readonly url: string;
  readonly body: unknown;
}

const answerSchema = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** Missing if the answer has no body. */
  body: z.unknown().optional(),
});

const entrySchema = z.object({ fingerprint: z.string(), answer: answerSchema.optional() });

/** The first answer. */
type KeptAnswer = z.infer<typeof answerSchema>;
type Entry = z.infer<typeof entrySchema>;

export type Beginning =
  { readonly state: 'new' | 'running' | 'other' } | { readonly state: 'done'; readonly answer: KeptAnswer };

/** Remembers answers by `Idempotency-Key` in Redis, so that every process knows them. */
@Injectable()
export class IdempotencyStore {
  private readonly logger = new Logger(IdempotencyStore.name);
  private readonly prefix: string;

  constructor(
    @Inject(APP_CONFIG) { cluster }: Pick<AppConfig, 'cluster'>,
    private readonly redis: SharedRedis,
  ) {
    this.prefix = `${cluster.keyPrefix}cms:idempotency:`;
  }

  /** Claims the key for this request, or returns the outcome of the first request with it. */
  async begin(request: KeyedRequest): Promise<Beginning> {
    const entry: Entry = { fingerprint: fingerprintOf(request) };
    const name = this.nameOf(request);
    const claimed = await this.redis.commands.set(name, JSON.stringify(entry), 'PX', RUNNING_FOR, 'NX');
    if (claimed !== null) return { state: 'new' };
    const text = await this.redis.commands.get(name).catch(ofAnotherType);
    // The key has expired between the two commands. The next repetition claims it.
    if (text === null) return { state: 'running' };
    const known = readJson(entrySchema, text);
    if (known === null) {
      // Another program has written to the key.
      this.logger.warn(`${name} held no answer to a request: it is written again`);
      await this.redis.commands.set(name, JSON.stringify(entry), 'PX', RUNNING_FOR);
      return { state: 'new' };
    }
    if (known.fingerprint !== entry.fingerprint) return { state: 'other' };
    return known.answer === undefined ? { state: 'running' } : { state: 'done', answer: known.answer };
  }

  async finish(request: KeyedRequest, answer: KeptAnswer): Promise<void> {
    const entry: Entry = { fingerprint: fingerprintOf(request), answer };
    await this.redis.commands.set(this.nameOf(request), JSON.stringify(entry), 'PX', KEPT_FOR);
  }

  /** The request failed, so that a repetition may try again. */
  async release(request: KeyedRequest): Promise<void> {
    await this.redis.commands.del(this.nameOf(request));
  }

  private nameOf({ caller, key }: KeyedRequest): string {
    return (
      this.prefix +
      createHash('sha256')
        .update(JSON.stringify([caller, key]))
        .digest('base64url')
    );
  }
}

/** What cannot be read as text is no entry either. */
function ofAnotherType(error: Error): string {
  if (error.message.startsWith('WRONGTYPE ')) return '';
  throw error;
}

/**
 * A body may hold passwords of cameras. The key of the hash is not in Redis, so that a reader of Redis cannot find a password by
 * trying.
 */
function fingerprintOf({ key, method, url, body }: KeyedRequest): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([method, url, body ?? null]))
    .digest('base64url');
}
