import { RedisScript } from '@detector-cluster/election/internal/redis';
import type {
  Acceptance,
  Acknowledgement,
  AppendOptions,
  AppendResult,
  DeadLettering,
  Expulsion,
  Grant,
  GrantResult,
  LogAppend,
  LogStore,
  MessagePlace,
  OwnerRecord,
  Rest,
  Standing,
  TermClaim,
} from './log-store.js';
import type { LogConnection } from './log-connection.js';
import type { LogAddress } from './log-address.js';
import {
  acknowledge,
  append,
  claims,
  deadLetter,
  expel,
  grant,
  readMasks,
  readMessages,
  readRecords,
  release,
  seal,
} from './scripts/scripts.generated.js';

/** The server or its replicas have not confirmed a write in time. It may be repeated. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';

  constructor(missing: string, timeout: number) {
    super(`${missing} within ${timeout} ms; detections wait until then (option acceptance)`);
  }
}

type AppendReply = [
  code: number,
  accepted: number,
  present: number,
  detections: number,
  bytes: number,
  dropped: number,
];

const scripts = {
  append: new RedisScript<AppendReply[]>(append),
  // These commands free memory, or must not fail when memory is short.
  acknowledge: new RedisScript<number[]>(acknowledge, { allowOom: true }),
  deadLetter: new RedisScript<[code: number, removed: number]>(deadLetter, { allowOom: true }),
  grant: new RedisScript<number[]>(grant, { allowOom: true }),
  release: new RedisScript<number>(release, { allowOom: true }),
  seal: new RedisScript<number[]>(seal, { allowOom: true }),
  records: new RedisScript<string[][]>(readRecords),
  masks: new RedisScript<(string | null)[]>(readMasks),
  messages: new RedisScript<string[]>(readMessages),
  claims: new RedisScript<[lastId: string, recordTerm: string][]>(claims),
  expel: new RedisScript<[expelled: number, removed: number]>(expel, { allowOom: true }),
};

type Keys = readonly string[];
type Args = readonly (string | number)[];

/** {@link LogStore} by Lua scripts. A script touches any number of logs on one server, and one log on a Redis Cluster. */
export class RedisLogStore implements LogStore {
  constructor(
    private readonly connection: LogConnection,
    private readonly partitionsChanged: string,
  ) {}

  async append(appends: readonly LogAppend[], options: AppendOptions): Promise<AppendResult[]> {
    const { acceptance, maxBacklogBytes, maxBacklogEntries, over, overflow, term } = options;
    const flags = [overflow === 'drop-oldest' ? 1 : 0, acceptance === null ? 0 : 1, over ? 1 : 0];
    const script =
      acceptance === null
        ? scripts.append
        : { run: (_: unknown, keys: Keys, args: Args) => this.appendConfirmed(keys, args, acceptance) };
    const replies = await this.run(
      script,
      appends,
      [term, maxBacklogEntries, maxBacklogBytes, ...flags],
      appendArgs,
    );
    return replies.map(([code, accepted, present, detections, bytes, dropped]) => {
      return { code: code === 1 ? 'done' : 'deposed', accepted, present, detections, bytes, dropped };
    });
  }

  async acknowledge(acknowledgements: readonly Acknowledgement[]): Promise<Standing[]> {
    const replies = await this.run(scripts.acknowledge, acknowledgements, [], acknowledgementArgs);
    return replies.map(standingOf);
  }

  async deadLetter({ log, process, epoch, id, place, fields, most }: DeadLettering) {
    const args = [process, epoch, id, place + 1, most, ...Object.entries(fields).flat()];
    const keys = [log.stream, log.record, log.letters];
    const [code, removed] = await scripts.deadLetter.run(this.connection.redis, keys, args);
    return { standing: standingOf(code), removed };
  }

  async records(logs: readonly LogAddress[]): Promise<OwnerRecord[]> {
    return (await this.run(scripts.records, logs.map(itself), [])).map(toRecord);
  }

  async grant(term: number, grants: readonly Grant[]): Promise<GrantResult[]> {
    const replies = await this.run(scripts.grant, grants, [term], grantArgs);
    return replies.map((code) => (code === 1 ? 'done' : code === 0 ? 'changed' : 'deposed'));
  }

  async release(log: LogAddress, process: string, epoch: string, rest: Rest): Promise<Standing> {
    const args = [process, epoch, rest, this.partitionsChanged];
    return standingOf(await scripts.release.run(this.connection.redis, [log.record], args));
  }

  async seal(term: number, logs: readonly LogAddress[]): Promise<(number | 'deposed')[]> {
    const replies = await this.run(scripts.seal, logs.map(itself), [term]);
    return replies.map((entries) => (entries < 0 ? 'deposed' : entries));
  }

  async fetch({ stream }: LogAddress, places: readonly MessagePlace[]): Promise<string[]> {
    const args = places.flatMap(({ id, place }) => [id, place + 1]);
    return scripts.messages.run(this.connection.redis, [stream], args);
  }

  async masks({ record, stream }: LogAddress, ids: readonly string[]): Promise<(string | null)[]> {
    return scripts.masks.run(this.connection.redis, [stream, record], ids);
  }

  async claims(logs: readonly LogAddress[]): Promise<TermClaim[]> {
    const replies = await this.run(scripts.claims, logs.map(itself), []);
    return replies.map(([lastId, recordTerm]) => ({ lastId, recordTerm }));
  }

  async expel({ claim, fields, log, most, settled, term }: Expulsion): Promise<number | null> {
    const args = [term, claim.lastId, claim.recordTerm, settled, most, ...Object.entries(fields).flat()];
    const keys = [log.stream, log.record, log.letters];
    const [expelled] = await scripts.expel.run(this.connection.redis, keys, args);
    return expelled < 0 ? null : expelled;
  }

  /** The confirmation must come over the connection that wrote, so both travel in one pipeline. */
  private async appendConfirmed(keys: Keys, args: Args, acceptance: Acceptance): Promise<AppendReply[]> {
    const { fsync = false, replicas = 0, timeout } = acceptance;
    const pipeline = this.connection.redis.pipeline();
    pipeline.eval(append, keys.length, ...keys, ...args);
    if (fsync) pipeline.call('WAITAOF', 1, replicas, timeout);
    else pipeline.call('WAIT', replicas, timeout);
    const [written, waited] = (await pipeline.exec()) ?? [];
    for (const result of [written, waited]) if (result?.[0]) throw result[0];
    const reply = waited?.[1];
    const [local, others] = (fsync ? reply : [1, reply]) as [number, number];
    if (local < 1)
      throw new NotConfirmedError('Redis has not synced its append-only file (see appendfsync)', timeout);
    if (!(others >= replicas)) {
      const what = fsync ? 'synced their append-only files' : 'confirmed';
      throw new NotConfirmedError(`${others} of ${replicas} replicas have ${what}`, timeout);
    }
    return written![1] as AppendReply[];
  }

  /** Runs a script once for all items, or once for each item if logs are on different nodes. */
  private async run<Item extends { readonly log: LogAddress }, Reply>(
    script: Pick<RedisScript<Reply[]>, 'run'>,
    items: readonly Item[],
    head: Args,
    argsOf: (item: Item) => Args = () => [],
  ): Promise<Reply[]> {
    if (items.length === 0) return [];
    const { isCluster, redis } = this.connection;
    const call = (some: readonly Item[]) => {
      const keys = some.flatMap(({ log }) => [log.stream, log.record]);
      return script.run(redis, keys, [...head, ...some.flatMap(argsOf)]);
    };
    return isCluster ? (await Promise.all(items.map((item) => call([item])))).flat() : call(items);
  }
}

const itself = (log: LogAddress) => ({ log });

const appendArgs = ({ batches, first, log, origins }: LogAppend): Args => {
  const known = origins.some((origin) => origin !== '') ? origins : [];
  const texts = batches.flatMap(({ count, text }) => [count, text]);
  return [log.lifetime, first, batches.length, known.length, ...texts, ...known];
};

const acknowledgementArgs = ({ batches, process, epoch, number }: Acknowledgement): Args => [
  process,
  epoch,
  number,
  batches.length,
  ...batches.flatMap(({ bytes, id, mask, news }) => [id, bytes, news, mask]),
];

const grantArgs = ({ action, process, epoch, expected }: Grant): Args => [action, process, epoch, expected];

const standingOf = (code: number): Standing => (code === 1 ? 'owner' : code === 2 ? 'hand-over' : 'refused');

const toRecord = ([
  process,
  epoch,
  next,
  origin,
  term,
  detections,
  bytes,
  dropped,
]: string[]): OwnerRecord => ({
  process: process!,
  epoch: epoch!,
  next: next!,
  origin: origin === 'released' || origin === 'unfinished' || origin === 'new' ? origin : 'taken',
  term: Number(term),
  detections: Number(detections),
  bytes: Number(bytes),
  dropped: Number(dropped),
});
