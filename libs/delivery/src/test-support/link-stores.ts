import { parseLetterId, parseTracedLetter } from '../dead-letters/dead-letter.js';
import type { LogAddress } from '../log/log-address.js';
import type { Cursor, LogPage, LogSource, LogStore } from '../log/log-store.js';
import type { PartitionCountStore } from '../ownership/redis-partition-count.js';
import type { InterestStore } from '../interest/redis-interest-store.js';
import type { ReplayStore } from '../send/replayer.js';
import type { ModelServer } from './model-server.js';
import type { ModelLink } from './model-link.js';

/** How a process reaches the server. */
export interface LinkedServer {
  readonly server: ModelServer;
  readonly link: ModelLink;
  /** Logs are on different nodes: a call touches one of them. */
  readonly callPerLog: boolean;
}

/** {@link LogStore} over a connection that may fail, as `RedisLogStore` is. */
export function linkLogStore({ callPerLog, link, server }: LinkedServer): LogStore {
  const { logs } = server;
  const now = <Reply>(act: () => Reply) => link.call(act);
  const whenReplicated = <Reply>(act: () => Reply) =>
    link.request<Reply>((answer) => {
      const reply = act();
      server.whenReplicated(() => answer(reply));
    });
  /** Reaches the replica at once. */
  const everywhere = <Reply>(act: () => Reply) =>
    link.call(() => {
      const reply = act();
      server.replicate(true);
      return reply;
    });
  const each = async <Item, Reply>(
    items: readonly Item[],
    run: (some: readonly Item[]) => Reply[],
    call = now,
  ): Promise<Reply[]> => {
    if (items.length === 0) return [];
    if (!callPerLog) return call(() => run(items));
    return (await Promise.all(items.map((item) => call(() => run([item]))))).flat();
  };
  return {
    append: (appends, options) =>
      each(
        appends,
        (some) => server.append(some, options),
        options.acceptance === null ? now : whenReplicated,
      ),
    acknowledge: (acknowledgements) => each(acknowledgements, (some) => logs.acknowledge(some)),
    deadLetter: (letter) => everywhere(() => logs.deadLetter(letter)),
    records: (addresses) => each(addresses, (some) => logs.records(some)),
    grant: (term, grants) => each(grants, (some) => logs.grant(term, some), everywhere),
    release: (log, process, epoch, rest) => everywhere(() => logs.release(log, process, epoch, rest)),
    seal: (term, addresses) => each(addresses, (some) => logs.seal(term, some), everywhere),
    fetch: (log, places) => link.call(() => logs.fetch(log, places)),
    masks: (log, ids) => link.call(() => logs.masks(log, ids)),
    claims: (addresses) => each(addresses, (some) => logs.claims(some)),
    expel: (expulsion) => everywhere(() => logs.expel(expulsion)),
  };
}

type Found = Awaited<ReturnType<LogSource['read']>>;

/** {@link LogSource} over a connection that may fail, as `RedisLogSource` is: where logs are on different nodes, one read for each. */
export function linkLogSource({ callPerLog, link, server }: LinkedServer): LogSource {
  const pending = new Map<
    string,
    { readonly cursor: string; readonly epoch: string; readonly reading: Promise<Found> }
  >();
  const readOne = (each: Cursor, count: number, block: number): Promise<Found> => {
    const { cursor, epoch, log } = each;
    const known = pending.get(log.stream);
    if (known?.cursor === cursor && known.epoch === epoch) return known.reading;
    const reading = link.request<Found>((answer) => server.read([each], count, block, answer));
    const made = { cursor, epoch, reading };
    pending.set(log.stream, made);
    const forget = () => {
      if (pending.get(log.stream) === made) pending.delete(log.stream);
    };
    reading.then(forget, forget);
    return reading;
  };
  return {
    async read(cursors, count, block) {
      if (!callPerLog) return link.request<Found>((answer) => server.read(cursors, count, block, answer));
      const wanted = new Set(cursors.map(({ log }) => log.stream));
      for (const stream of pending.keys()) if (!wanted.has(stream)) pending.delete(stream);
      const found = new Map<string, LogPage>();
      let failure: unknown;
      await Promise.race(
        cursors.map((each) =>
          readOne(each, count, block).then(
            (some) => {
              for (const [stream, entries] of some) found.set(stream, entries);
            },
            (error: unknown) => void (failure = error),
          ),
        ),
      );
      if (found.size === 0 && failure !== undefined) throw failure;
      return found;
    },
  };
}

export function linkInterestStore({ link, server }: LinkedServer, term: number): InterestStore {
  return {
    read: () =>
      link.call(() => ({ records: new Map(server.interests), seen: new Map(server.interestsSeen) })),
    markSeen: (versions) =>
      link.call(() => {
        server.raise(term);
        for (const [id, version] of versions) server.interestsSeen.set(id, version);
      }),
    remove: (processes) =>
      link.call(() => {
        for (const id of processes) {
          server.interests.delete(id);
          server.interestsSeen.delete(id);
        }
        server.onHint('forgotten');
      }),
  };
}

export function linkPartitionCount({ link, server }: LinkedServer, term: number): PartitionCountStore {
  return {
    read: () => link.call(() => server.partitions),
    write: (partitions) =>
      link.call(() => {
        server.raise(term);
        server.partitions = partitions;
      }),
  };
}

/** Dead letters of partitions. */
export function linkReplayStore(
  { link, server }: LinkedServer,
  logOf: (partition: number) => LogAddress,
): ReplayStore {
  const place = (letterId: string) => {
    const { entry, partition } = parseLetterId(letterId)!;
    return { entry, partition, log: logOf(partition!) };
  };
  return {
    requested: (limit) => link.call(() => server.requests.slice(0, limit)),
    find: (letterIds) =>
      link.call(
        () =>
          new Map(
            letterIds.flatMap((letterId) => {
              const { entry, log, partition } = place(letterId);
              const letter = server.logs.lettersOf(log).find(({ id }) => id === entry);
              return letter === undefined
                ? []
                : [[letterId, parseTracedLetter({ entry, partition }, letter.fields)]];
            }),
          ),
      ),
    remove: (letterIds) =>
      link.call(() => {
        for (const { entry, log } of letterIds.map(place)) server.logs.removeLetter(log, entry);
        server.replicate(true);
      }),
    settleRequests: (letterIds) =>
      link.call(() => void (server.requests = server.requests.filter((id) => !letterIds.includes(id)))),
  };
}
