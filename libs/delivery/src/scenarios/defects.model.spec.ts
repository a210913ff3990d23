import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogSource } from '../log/log-store.js';
import { EntryHandler } from '../receive/entry-handler.js';
import { HeldBatch } from '../receive/held-batch.js';
import { HeldLog } from '../receive/held-log.js';
import { PartitionHolder } from '../receive/partition-holder.js';
import type { WorldOptions } from '../test-support/delivery-world.js';
import { ModelWorker } from '../test-support/model-worker.js';
import { play } from '../test-support/play.js';
import { routerDefaults } from '../send/router-context.js';
import { SettledWatermark } from '../send/settled-watermark.js';
import { WrittenLog } from '../send/written-log.js';
import { faultySchedules, gracefulSchedules } from '../test-support/schedules.js';
import type { ServerDefect } from '../test-support/memory-log-server.js';

/** A defect must be found within this many schedules. */
const WITHIN = 1_000;

/** Plays schedules until one shows a violation. Returns it; undefined when none does. */
async function findBy(
  changes: Partial<WorldOptions> = {},
  schedules = faultySchedules(false),
): Promise<string | undefined> {
  for (const schedule of fc.sample(schedules, { numRuns: WITHIN, seed: 1 })) {
    const { violations } = await play({ ...schedule, world: { ...schedule.world, ...changes } });
    if (violations.length > 0) return violations[0];
  }
  return undefined;
}

/** Runs with another property on a class of the product. */
async function withProperty<T>(
  type: { readonly prototype: object },
  name: string,
  property: PropertyDescriptor,
  run: () => Promise<T>,
): Promise<T> {
  const original = Object.getOwnPropertyDescriptor(type.prototype, name)!;
  Object.defineProperty(type.prototype, name, { ...property, configurable: true });
  try {
    return await run();
  } finally {
    Object.defineProperty(type.prototype, name, original);
  }
}

/** Continues to read where it has stopped, also under a new epoch. */
function neverBack(source: LogSource): LogSource {
  const latest = new Map<string, string>();
  return {
    async read(cursors, count, block) {
      const from = cursors.map((each) => ({ ...each, cursor: latest.get(each.log.stream) ?? each.cursor }));
      const found = await source.read(from, count, block);
      for (const [stream, { entries }] of found)
        if (entries.length > 0) latest.set(stream, entries.at(-1)!.id);
      return found;
    },
  };
}

const readOnOnly: WorldOptions['alter'] = (stores) => ({ ...stores, source: neverBack(stores.source) });

/** Confirms what it has acknowledged before it runs a callback. */
const handle = EntryHandler.prototype.handle;
const acknowledgesFirst: EntryHandler['handle'] = function (this: EntryHandler, entry) {
  const { context } = this as unknown as { context: { acknowledger: { finished(entry: unknown): void } } };
  const { acknowledger } = context;
  acknowledger.finished(entry);
  const silent = { ...context, acknowledger: { ...acknowledger, finished: () => undefined } };
  return handle.call(Object.create(this, { context: { value: silent } }) as EntryHandler, entry);
};

/** Takes a batch for finished when one detection of it is. */
const acknowledgement = HeldBatch.prototype.acknowledgement;
const acknowledgesAll: typeof acknowledgement = function (this: HeldBatch) {
  const exact = acknowledgement.call(this);
  return { ...exact, mask: exact.mask.replaceAll('0', '1') };
};

/** Releases a log while its callbacks run and their entries are not acknowledged. */
const releaseWhenIdle = PartitionHolder.prototype['releaseWhenIdle'];
const releasesAtOnce: typeof releaseWhenIdle = function (this: PartitionHolder, log) {
  const idle = new Proxy(log, {
    get: (target, name) =>
      name === 'running' || name === 'unconfirmed' || name === 'remainingWait'
        ? 0
        : (Reflect.get(target, name) as unknown),
  });
  return releaseWhenIdle.call(this, idle);
};

/** Resends what is not confirmed after what it detects next. */
const unsentOn = ModelWorker.prototype['unsentOn'];
const resendsLast: typeof unsentOn = function (this: ModelWorker, connection) {
  const unsent = unsentOn.call(this, connection);
  return connection.sent === 0 ? [...unsent.slice(-1), ...unsent.slice(0, -1)] : unsent;
};

/** Defects that show that the checks can fail. */
describe('the model finds', () => {
  it.each<[what: string, defect: ServerDefect, shown: RegExp]>([
    ['a store that compares no epoch when it acknowledges', 'acknowledges for any caller', /./],
    ['a store that applies an acknowledgement twice', 'ignores the numbers of acknowledgements', /dropped/],
    ['a store that appends a repeated entry again', 'appends a repeated entry again', /was appended as/],
    [
      'a store that appends after the term to a log that Redis has lost',
      'appends after the term to any log',
      / got |not handled/,
    ],
    [
      'a store that takes the numbers of two starts of a worker for one',
      'compares no boot',
      /in no log|is not in|not confirmed/,
    ],
    [
      'a store that adds again what a master before has added',
      'forgets what a master before has appended',
      /was appended as/,
    ],
    [
      'a store that takes for present what the worker had dropped before it sent newer ones to a later master',
      'takes for present what a later master has passed over',
      /counts as accepted/,
    ],
    [
      'a store that confirms an append before the replica has it',
      'confirms before its replica has it',
      /the replica does not have it|was confirmed/,
    ],
    ['a store that does not count bytes down', 'keeps the bytes of acknowledged entries', /bytes/],
    [
      'a store that counts the bytes of a batch down for each part of it',
      'counts the bytes of a batch for each part of it',
      /bytes/,
    ],
    [
      'a store that makes a dead letter and does not note that its detection is finished',
      'makes a dead letter and leaves its detection',
      /dead letter again|its record says/,
    ],
    [
      'a store that writes what is left of a batch at the end of its log',
      'writes a rest at the end of its log',
      /was appended as|for the first time after/,
    ],
  ])('%s', async (_what, defect, shown) => {
    expect(await findBy({ defects: [defect] })).toMatch(shown);
  });

  it.each<
    [
      what: string,
      type: { readonly prototype: object },
      name: string,
      property: PropertyDescriptor,
      shown: RegExp,
    ]
  >([
    [
      'a new owner that does not wait for the validity of its predecessor',
      HeldLog,
      'remainingWait',
      { get: () => 0 },
      /under the epoch|again/,
    ],
    [
      'an owner that acts on an old confirmation',
      HeldLog,
      'isConfirmed',
      { get: () => true },
      /under the epoch/,
    ],
    [
      'an owner that acknowledges a batch before its last detection is finished',
      HeldBatch,
      'acknowledgement',
      { value: acknowledgesAll },
      /was removed/,
    ],
    [
      'an owner that acknowledges before it has handled',
      EntryHandler,
      'handle',
      { value: acknowledgesFirst },
      /was removed/,
    ],
    [
      'an owner that releases a partition while its callbacks run',
      PartitionHolder,
      'releaseWhenIdle',
      { value: releasesAtOnce },
      /again/,
    ],
    [
      'a master that confirms beyond a detection whose outcome is open',
      SettledWatermark,
      'upTo',
      {
        get(this: SettledWatermark) {
          return this.last;
        },
      },
      /was confirmed/,
    ],
    [
      'a worker that sends again after it has sent what is new',
      ModelWorker,
      'unsentOn',
      { value: resendsLast },
      /was confirmed|not confirmed/,
    ],
  ])('%s', async (_what, type, name, property, shown) => {
    expect(await withProperty(type, name, property, () => findBy())).toMatch(shown);
  });

  it('a store that clears messages of detections that are not finished', async () => {
    const found = await findBy({
      defects: ['clears what is not finished'],
      subscriptions: 4,
      load: { gap: 30, longest: 200 },
      router: { ...routerDefaults, maxBacklogBytes: 2_500, lookInterval: 500, rebalanceInterval: 200 },
    });
    expect(found).toMatch(/was removed|not handled/);
  });

  it('a former master that appends what follows a detection that was discarded', async () => {
    const never = { value: () => undefined };
    const found = await withProperty(WrittenLog, 'close', never, () =>
      findBy({ keeps: 10_000, latency: [5, 40], load: { gap: 30, longest: 5 } }, gracefulSchedules(false)),
    );
    expect(found).toMatch(/counts as accepted|was confirmed/);
  });

  it('an owner that does not know which detections of a batch the owner before it has finished', async () => {
    const never = { value: () => false };
    const found = await withProperty(HeldBatch, 'isFinished', never, () =>
      findBy({}, gracefulSchedules(false)),
    );
    expect(found).toMatch(/again/);
  });

  it('an owner that does not read from the beginning under a new epoch', async () => {
    expect(await findBy({ alter: readOnOnly })).toMatch(/not handled|for the first time after/);
  });
});
