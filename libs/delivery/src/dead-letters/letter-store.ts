import { RedisScript } from '@detector-cluster/election/internal/redis';
import type { Cluster, Redis } from 'ioredis';
import type { DeliveryKeys } from '../log/delivery-keys.js';
import { getOrInsertComputed } from '@detector-cluster/election/internal';
import type { LogConnection } from '../log/log-connection.js';
import { partitionLog, requestsOf } from '../log/log-address.js';
import { dropLetters, requestReplay } from '../log/scripts/scripts.generated.js';
import { readPartitions } from '../ownership/redis-partition-count.js';
import {
  compareLetters,
  formatLetterId,
  parseDeadLetter,
  parseLetterId,
  parseTracedLetter,
  type DeadLetter,
  type LetterPlace,
  type TracedLetter,
} from './dead-letter.js';

const PAGE = 500;

const requestScript = new RedisScript<(0 | 1)[]>(requestReplay);
const dropScript = new RedisScript<(0 | 1 | 2)[]>(dropLetters, { allowOom: true });

interface LetterStream {
  readonly letters: string;
  /** Sorted set of the letters to replay. */
  readonly requests: string;
}

interface StoredLetter {
  readonly place: LetterPlace;
  readonly flat: readonly string[];
}

type OnStream<Reply> = (
  redis: Redis | Cluster,
  stream: LetterStream,
  entries: readonly string[],
  ids: readonly string[],
) => Promise<Reply>;

/**
 * Dead letters in Redis: a stream beside each partition and one for listener streams, and beside each stream the requests to
 * replay its letters. A letter and its request are in one slot, so that scripts decide whether a letter is replayed or dropped.
 */
export class LetterStore {
  constructor(
    private readonly redis: Redis,
    private readonly logs: LogConnection,
    private readonly keys: DeliveryKeys,
  ) {}

  /**
   * The letters of all streams in the order in which they were stored, or the newest first.
   * @param chunk how many letters are read from a stream at once
   */
  async *read(after: LetterPlace | null, newestFirst: boolean, chunk: number): AsyncGenerator<DeadLetter> {
    const partitions = await this.partitions();
    const sign = newestFirst ? -1 : 1;
    let streams = partitions.map((partition) => ({
      partition,
      start: startAfter(after, partition, newestFirst),
      letters: [] as StoredLetter[],
    }));
    for (;;) {
      await Promise.all(
        streams
          .filter(({ letters }) => letters.length === 0)
          .map(async (stream) => {
            stream.letters = await this.chunk(stream.partition, stream.start, newestFirst, chunk);
            if (stream.letters.length > 0) stream.start = `(${stream.letters.at(-1)!.place.entry}`;
          }),
      );
      streams = streams.filter(({ letters }) => letters.length > 0);
      if (streams.length === 0) return;
      const next = streams.reduce((best, stream) =>
        sign * compareLetters(stream.letters[0]!.place, best.letters[0]!.place) < 0 ? stream : best,
      );
      const { place, flat } = next.letters.shift()!;
      yield parseDeadLetter(place, flat);
    }
  }

  /** Ids of all present letters, oldest first. */
  async all(): Promise<string[]> {
    const found: LetterPlace[] = [];
    for (const partition of await this.partitions()) {
      const redis = this.redisOf(partition);
      const { letters } = this.streamOf(partition);
      const [newest] = await redis.xrevrange(letters, '+', '-', 'COUNT', 1);
      if (newest === undefined) continue;
      for (let from = '-'; ;) {
        const entries = await redis.xrange(letters, from, newest[0], 'COUNT', PAGE);
        for (const [entry] of entries) found.push({ entry, partition });
        if (entries.length < PAGE) break;
        from = `(${entries.at(-1)![0]}`;
      }
    }
    return found.sort(compareLetters).map(formatLetterId);
  }

  /** The letters that exist, in the order of the ids. */
  async find(letterIds: readonly string[]): Promise<Map<string, TracedLetter>> {
    const found = await Promise.all(
      letterIds.map(async (letterId) => {
        const place = parseLetterId(letterId);
        if (place === null) return [];
        const { entry, partition } = place;
        const [letter] = await this.redisOf(partition).xrange(this.streamOf(partition).letters, entry, entry);
        return letter === undefined ? [] : [[letterId, parseTracedLetter(place, letter[1])] as const];
      }),
    );
    return new Map(found.flat());
  }

  async remove(letterIds: readonly string[]): Promise<void> {
    await this.eachStream(letterIds, (redis, { letters }, entries) => redis.xdel(letters, ...entries));
  }

  /**
   * Keeps the requests in their order; a letter that is requested twice keeps its place.
   * @returns the letters that exist
   */
  async request(letterIds: readonly string[]): Promise<string[]> {
    const replies = await this.eachLetter(letterIds, (redis, { letters, requests }, entries) =>
      requestScript.run(redis, [letters, requests], entries),
    );
    const existing = letterIds.filter((id) => replies.get(id) === 1);
    if (existing.length > 0) await this.redis.publish(this.keys.replayRequested, String(existing.length));
    return existing;
  }

  /** Removes letters, except those whose replay is requested. */
  async drop(letterIds: readonly string[]): Promise<{ readonly dropped: string[]; readonly left: string[] }> {
    const replies = await this.eachLetter(letterIds, (redis, { letters, requests }, entries) =>
      dropScript.run(redis, [letters, requests], entries),
    );
    return {
      dropped: letterIds.filter((id) => replies.get(id) === 1),
      left: letterIds.filter((id) => replies.get(id) === 2),
    };
  }

  /** Letters whose replay is requested, in the order of the requests. Each stream contributes the same number. */
  async requested(limit: number): Promise<string[]> {
    const partitions = await this.partitions();
    if (!this.logs.isCluster) {
      const keys = partitions.map((partition) => this.streamOf(partition).requests);
      if ((await this.redis.exists(...keys)) === 0) return [];
    }
    const requested = await Promise.all(
      partitions.map(async (partition) => {
        const { requests } = this.streamOf(partition);
        const entries = await this.redisOf(partition).zrange(requests, 0, String(limit - 1));
        return entries.map((entry) => formatLetterId({ entry, partition }));
      }),
    );
    const share = Math.ceil(limit / requested.filter((each) => each.length > 0).length);
    return requested.flatMap((each) => each.slice(0, share));
  }

  /** Of these letters, those whose replay is requested and still to come. */
  async stillRequested(letterIds: readonly string[]): Promise<string[]> {
    const places = await this.eachLetter(letterIds, (redis, { requests }, entries) =>
      redis.zmscore(requests, ...entries),
    );
    return letterIds.filter((id) => (places.get(id) ?? null) !== null);
  }

  async settleRequests(letterIds: readonly string[]): Promise<void> {
    await this.eachStream(letterIds, (redis, { requests }, entries) => redis.zrem(requests, ...entries));
  }

  /** Runs one command for each stream of these letters; returns its reply for each letter. */
  private async eachLetter<Reply>(letterIds: readonly string[], run: OnStream<readonly Reply[]>) {
    const found = new Map<string, Reply>();
    await this.eachStream(letterIds, async (redis, stream, entries, ids) => {
      const replies = await run(redis, stream, entries, ids);
      for (const [i, id] of ids.entries()) found.set(id, replies[i]!);
    });
    return found;
  }

  private async eachStream(letterIds: readonly string[], run: OnStream<unknown>): Promise<void> {
    const byPartition = new Map<number | null, { entries: string[]; ids: string[] }>();
    for (const id of letterIds) {
      const place = parseLetterId(id);
      if (place === null) continue;
      const letters = getOrInsertComputed(byPartition, place.partition, () => ({ entries: [], ids: [] }));
      letters.entries.push(place.entry);
      letters.ids.push(id);
    }
    await Promise.all(
      [...byPartition].map(([partition, { entries, ids }]) =>
        run(this.redisOf(partition), this.streamOf(partition), entries, ids),
      ),
    );
  }

  private async chunk(
    partition: number | null,
    start: string,
    newestFirst: boolean,
    count: number,
  ): Promise<StoredLetter[]> {
    const redis = this.redisOf(partition);
    const { letters } = this.streamOf(partition);
    const entries = newestFirst
      ? await redis.xrevrange(letters, start, '-', 'COUNT', count)
      : await redis.xrange(letters, start, '+', 'COUNT', count);
    return entries.map(([entry, flat]) => ({ place: { entry, partition }, flat }));
  }

  private async partitions(): Promise<(number | null)[]> {
    const { most } = await readPartitions(this.redis, this.keys);
    return [...Array(most).keys(), null];
  }

  private streamOf(partition: number | null): LetterStream {
    const letters = partition === null ? this.keys.deadLetters : partitionLog(this.keys, partition).letters;
    return { letters, requests: requestsOf(letters) };
  }

  private redisOf(partition: number | null) {
    return partition === null ? this.redis : this.logs.redis;
  }
}

/** Where to continue in one stream after a letter of another stream. */
function startAfter(after: LetterPlace | null, partition: number | null, newestFirst: boolean): string {
  if (after === null) return newestFirst ? '+' : '-';
  // If letters have the same entry id, those of higher partitions are newer.
  const order = compareLetters({ entry: after.entry, partition }, after);
  return (newestFirst ? order < 0 : order > 0) ? after.entry : `(${after.entry}`;
}
