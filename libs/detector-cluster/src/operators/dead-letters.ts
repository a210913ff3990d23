import { systemClock } from '@detector-cluster/election';
import { pause, doubling } from '@detector-cluster/election/internal';
import { NoMasterError } from '../shared/master-errors.js';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import { type DeadLetter } from '@detector-cluster/delivery';
import { parseLetterId, type LetterPlace, type LetterStore } from '@detector-cluster/delivery/internal';

const PAGE = 500;
const MAX_LETTERS = 1_000;

/** How long the master may take for the next letters of a replay. Milliseconds. */
const TIMEOUT = 5_000;

/** Letters that are read from a stream at once. */
const CHUNK = 250;

export interface DeadLetterPage {
  /** Only letters after this one, in the order of the list; default from the first on. */
  readonly after?: string;
  /** Most letters, up to 1,000. Default 100. */
  readonly limit?: number;
  /** The order of the list. Default: oldest first. */
  readonly newestFirst?: boolean;
  /** Only letters for which it returns true. Each letter is read until `limit` are found. */
  readonly matches?: (letter: DeadLetter) => boolean;
}

export interface ReplayResult {
  /** Letters that are back in delivery. */
  readonly replayed: number;
  /** Letters that stay: no process listens to their subscription any more. */
  readonly left: readonly string[];
  /** Ids without a letter: replayed or dropped earlier, or never stored. */
  readonly gone: readonly string[];
}

export interface DropResult extends Pick<ReplayResult, 'gone'> {
  /** Number of letters that this call has removed. */
  readonly dropped: number;
  /** Letters that stay: their replay has been asked for and is still to come. */
  readonly left: readonly string[];
}

/** The dead letters of the cluster, from any process. */
export class DeadLetters {
  constructor(private readonly store: LetterStore) {}

  /**
   * Oldest first, or newest first. The next page begins `after` the last letter of this one.
   * @throws {InvalidInputError} naming `after`, `limit` or `matches`
   */
  async list({ after, limit = 100, newestFirst = false, matches }: DeadLetterPage = {}): Promise<
    DeadLetter[]
  > {
    const place = after === undefined ? null : placeOf('after', after);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LETTERS)
      throw new InvalidInputError('limit', `must be a whole number from 1 to ${MAX_LETTERS}`);
    if (matches !== undefined && typeof matches !== 'function')
      throw new InvalidInputError('matches', 'must be a function');
    const found: DeadLetter[] = [];
    for await (const letter of this.store.read(place, newestFirst, Math.min(limit, CHUNK))) {
      if (matches === undefined || matches(letter)) found.push(letter);
      if (found.length >= limit) break;
    }
    return found;
  }

  /**
   * Has the master append letters again: to the partition of their subscription, or, where listeners of a subscription failed, to a
   * process that has some. The entry is marked `redelivered` and has the same `detectionId`. The letter is removed once its log has
   * the entry; if the master dies in between, the detection is delivered twice. A letter that fails again becomes a new letter.
   *
   * The request is kept in Redis and outlives the caller and the master.
   * @param ids ids of letters, or `'all'` for those that exist at this moment
   * @throws {InvalidInputError} naming `ids`; {@link NoMasterError} when no master has begun within 5 s: the next one will
   */
  async replay(ids: readonly string[] | 'all'): Promise<ReplayResult> {
    const asked = await this.asked(ids);
    const found: string[] = [];
    for (const some of pages(asked)) found.push(...(await this.store.request(some)));
    for (const some of pages(found)) await this.untilDone(some);
    const left = new Set<string>();
    for (const some of pages(found)) for (const id of (await this.store.find(some)).keys()) left.add(id);
    const existed = new Set(found);
    return {
      replayed: found.length - left.size,
      left: asked.filter((id) => left.has(id)),
      gone: asked.filter((id) => !existed.has(id)),
    };
  }

  /**
   * Removes letters for good, with or without a master. A letter is either dropped or replayed: one whose replay has been
   * asked for stays.
   * @param ids ids of letters, or `'all'` for those that exist at this moment
   * @throws {InvalidInputError} naming `ids`
   */
  async drop(ids: readonly string[] | 'all'): Promise<DropResult> {
    const asked = await this.asked(ids);
    const dropped: string[] = [];
    const left: string[] = [];
    for (const some of pages(asked)) {
      const result = await this.store.drop(some);
      dropped.push(...result.dropped);
      left.push(...result.left);
    }
    const existed = new Set([...dropped, ...left]);
    return { dropped: dropped.length, left, gone: asked.filter((id) => !existed.has(id)) };
  }

  /** The ids of the request, each once. */
  private async asked(ids: readonly string[] | 'all'): Promise<string[]> {
    if (ids === 'all') return await this.store.all();
    if (!Array.isArray(ids)) throw new InvalidInputError('ids', "must be an array of letter ids, or 'all'");
    for (const id of ids) placeOf('ids', id);
    return [...new Set<string>(ids)];
  }

  /** Resolves when the master has carried out all of these requests. */
  private async untilDone(ids: readonly string[]): Promise<void> {
    let waiting = ids.length;
    let deadline = performance.now() + TIMEOUT;
    for (let attempt = 0; ; attempt++) {
      const now = (await this.store.stillRequested(ids)).length;
      if (now === 0) return;
      if (now < waiting) deadline = performance.now() + TIMEOUT;
      else if (performance.now() > deadline) throw new NoMasterError('replayDeadLetters', TIMEOUT);
      waiting = now;
      await pause(doubling(2, attempt, 100), systemClock);
    }
  }
}

function placeOf(field: string, id: unknown): LetterPlace {
  const place = typeof id === 'string' ? parseLetterId(id) : null;
  if (place === null)
    throw new InvalidInputError(field, `must be a letterId of listDeadLetters, got ${JSON.stringify(id)}`);
  return place;
}

function pages(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, i) => ids.slice(i * PAGE, (i + 1) * PAGE));
}
