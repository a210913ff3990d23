import { eventually, VirtualClock } from '@detector-cluster/election/testing';
import { instantOf } from '@detector-cluster/election/internal';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveryKeys } from '../log/delivery-keys.js';
import { encodeMessage } from '../log/detection-message.js';
import { listenerLog, partitionLog } from '../log/log-address.js';
import type { Acknowledgement, LogEntry, LogStore, MessagePlace, Standing } from '../log/log-store.js';
import { Acknowledger } from './acknowledger.js';
import { consumerDefaults, type ConsumerOptions } from './consumer-context.js';
import { DetectionWindow } from './detection-window.js';
import { HeldLog, OWNER_VALIDITY, type DecodedEntry } from './held-log.js';

const QUICK = 'd;quick';
const ASYNCHRONOUS = 'd;asynchronous';

const entryOf = (n: number, subscriptionIdentifier: string): LogEntry => {
  const frame = JSON.stringify({ subscriptionIdentifier, data: { detection: { n } } });
  const detection = { detectionId: `${n}`, workerUrl: 'w', receivedAt: 0, subscriptionIdentifier, frame };
  const message = encodeMessage(detection, false, null);
  return { id: `1-${n + 1}`, bytes: message.length, messages: [message] };
};

const entries = (count: number, subscriptionOf: (n: number) => string, from = 0): LogEntry[] =>
  Array.from({ length: count }, (_, n) => entryOf(from + n, subscriptionOf(from + n)));

/** Redis does not answer. */
const silence = new Promise<never>(() => undefined);

const LISTENER = {
  log: listenerLog(deliveryKeys(''), 'a'),
  processId: '',
  epoch: '',
  wait: 0,
  catchingUp: false,
};

const numberOf = ({ detection }: DecodedEntry) => detection.data.detection!.n as number;

/** Waits as many turns of the event loop as asynchronous work without timers needs. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await turn();
}

/** Finishes every entry at once, and remembers it. */
function quick() {
  const handled: number[] = [];
  const handle = (entry: DecodedEntry, finish: () => void) => {
    handled.push(numberOf(entry));
    finish();
    return undefined;
  };
  return { handled, handle };
}

describe('DetectionWindow', () => {
  let stopping: AbortController;
  let clock: VirtualClock;
  beforeEach(() => {
    stopping = new AbortController();
    clock = new VirtualClock();
  });
  afterEach(() => stopping.abort());

  const logOf = ({ partition = 0, wait = 0, catchingUp = false, confirmed = true } = {}) => {
    const log = new HeldLog({
      log: partitionLog(deliveryKeys(''), partition),
      processId: 'a',
      epoch: '1.1',
      wait,
      catchingUp,
      clock,
    });
    if (confirmed) log.confirm(instantOf(clock));
    return log;
  };

  /** A window whose acknowledgements Redis answers, or does not, some turns of the event loop after they were sent. */
  function windowOf(
    handle: (entry: DecodedEntry, finish: () => void) => Promise<void> | undefined,
    {
      answer = (): Standing | Promise<Standing> => 'owner',
      options = {} as Partial<ConsumerOptions>,
      stored = [] as readonly LogEntry[],
      listeners = { hasGlobal: true },
      calls: made = [] as Acknowledgement[],
    } = {},
  ) {
    const store = {
      acknowledge: async (calls: readonly Acknowledgement[]) => {
        made.push(...calls);
        for (let i = 0; i < 3; i++) await turn();
        const standing = await answer();
        return calls.map(() => standing);
      },
      fetch: async (_log: unknown, places: readonly MessagePlace[]) => {
        await turn();
        const batches = new Map(stored.map((entry) => [entry.id, entry]));
        return places.map(({ id, place }) => batches.get(id)?.messages[place] ?? '');
      },
    } as unknown as LogStore;
    const all = { ...consumerDefaults, ackDelay: 0, ...options };
    const acknowledger: Acknowledger = new Acknowledger({
      store,
      callPerLog: false,
      options: all,
      clock,
      onEvent: () => undefined,
      signal: stopping.signal,
      onAnswered: () => window.proceed(),
      onHandOver: (log) => log.drain(),
      onRefused: (log) => {
        log.lose();
        window.drop(log);
      },
    });
    stopping.signal.addEventListener('abort', () => acknowledger.close());
    const window: DetectionWindow = new DetectionWindow({
      options: all,
      acknowledger,
      handler: {
        handle: (entry) => handle(entry, () => acknowledger.finished(entry)),
        deadLetter: () => undefined,
      },
      listeners,
      store,
      onEvent: () => undefined,
      clock,
      signal: stopping.signal,
    });
    return { acknowledger, window };
  }

  it('handles what is not finished of a batch, and acknowledges what is while a callback still runs', async () => {
    const handled: number[] = [];
    let end: (() => void) | undefined;
    const calls: Acknowledgement[] = [];
    const { window } = windowOf(
      (entry, finish) => {
        handled.push(numberOf(entry));
        if (entry.detection.subscriptionIdentifier === QUICK) return void finish();
        return new Promise<void>((resolve) => {
          end = () => {
            finish();
            resolve();
          };
        });
      },
      { calls },
    );
    const messages = [QUICK, QUICK, ASYNCHRONOUS, QUICK].flatMap((to, n) => entryOf(n, to).messages);
    window.accept(logOf(), [{ id: '1-1', bytes: 7, messages }], new Map([['1-1', '0100']]));
    await eventually('an acknowledgement', 10_000, () => calls.length === 1);
    end!();
    await eventually('another one', 10_000, () => calls.length === 2);
    expect(handled).toEqual([0, 2, 3]);
    expect(calls.map(({ batches }) => batches)).toEqual([
      [{ id: '1-1', bytes: 7, news: 2, mask: '1101' }],
      [{ id: '1-1', bytes: 7, news: 1, mask: '1111' }],
    ]);
  });

  it('is bounded in bytes: over all, per subscription, and when it reads again what it has left in Redis', async () => {
    const windowBytes = 64_000;
    const options = { windowBytes, window: 100, windowPerSubscription: 25, maxUnconfirmed: 1_000 };
    const all: LogEntry[] = Array.from({ length: 100 }, (_, n) => {
      const { id, messages } = entryOf(n, n % 20 === 19 ? QUICK : ASYNCHRONOUS);
      const message = `${messages[0]!.slice(0, -3)},"padding":"${'x'.repeat(4_000)}"}}}`;
      return { id, bytes: message.length, messages: [message] };
    });
    const finished: number[] = [];
    const waiting: (() => void)[] = [];
    let most = 0;
    const { window } = windowOf(
      (entry, finish) => {
        most = Math.max(most, window.bytes);
        const end = () => {
          finished.push(numberOf(entry));
          finish();
        };
        if (entry.detection.subscriptionIdentifier === QUICK) return void end();
        return new Promise<void>((resolve) =>
          waiting.push(() => {
            end();
            resolve();
          }),
        );
      },
      { stored: all, options },
    );
    const log = logOf();
    let read = 0;
    for (let round = 0; round < 2_000 && finished.length < all.length; round++) {
      const room = Math.min(window.room(), Math.floor(window.roomBytes / 4_200));
      if (room > 0 && read < all.length) {
        window.accept(log, all.slice(read, read + room));
        read += room;
        expect(window.bytes).toBeLessThanOrEqual(windowBytes);
      }
      clock.advance(60);
      log.confirm(instantOf(clock));
      window.proceed();
      await settled();
      // The slow callbacks end only after the quick ones of all that could be read.
      if (read >= all.length || room <= 0) waiting.shift()?.();
    }
    await settled();
    expect(finished.toSorted((a, b) => a - b)).toEqual(all.map((_, n) => n));
    // The quick subscription did not wait for the slow one.
    expect(finished.indexOf(99)).toBeLessThan(20);
    expect(most).toBeLessThanOrEqual(windowBytes);
    expect([window.size, window.bytes, window.parked]).toEqual([0, 0, 0]);
  });

  it('starts no callback while 64 entries are unconfirmed, and lets no more be read than it can hold', async () => {
    const { handled, handle } = quick();
    const { acknowledger, window } = windowOf(handle, { answer: () => silence });
    const log = logOf();
    expect(window.room()).toBe(1_000);
    window.accept(
      log,
      entries(256, () => QUICK),
    );
    await settled();
    expect([handled.length, acknowledger.unconfirmed, window.size]).toEqual([64, 64, 192]);
    expect(window.room()).toBe(808);
    window.accept(
      log,
      entries(808, () => QUICK, 256),
    );
    expect(window.room()).toBe(0);
  });

  it('leaves the entries of a partition in Redis while this process has no global listener', async () => {
    const { handled, handle } = quick();
    const listeners = { hasGlobal: false };
    const { window } = windowOf(handle, { listeners });
    window.accept(
      logOf(),
      entries(3, () => QUICK),
    );
    window.accept(
      new HeldLog({ ...LISTENER, clock }),
      entries(1, () => QUICK, 3),
    );
    clock.advance(1_000);
    await settled();
    expect(handled).toEqual([3]);
    listeners.hasGlobal = true;
    clock.advance(consumerDefaults.slowAfter);
    await settled();
    expect(handled).toEqual([3, 0, 1, 2]);
  });

  it('lets a subscription with asynchronous callbacks keep up with one whose callbacks return at once', async () => {
    const handled: string[] = [];
    const { window } = windowOf((entry, finish) => {
      const end = () => {
        handled.push(entry.detection.subscriptionIdentifier);
        finish();
      };
      if (entry.detection.subscriptionIdentifier === QUICK) {
        end();
        return undefined;
      }
      return turn().then(end);
    });
    window.accept(
      logOf(),
      entries(1_000, (n) => (n % 100 < 2 ? ASYNCHRONOUS : QUICK)),
    );
    await eventually('all of them', 10_000, () => handled.length === 1_000);
    const places = handled.flatMap((key, i) => (key === ASYNCHRONOUS ? [i] : []));
    expect(places).toHaveLength(20);
    // The tenth entry of the subscription was the 402nd of the log.
    expect(places[9]).toBeLessThan(700);
  });

  it('leaves at most maxParked entries in Redis, counting those that it has read and not placed', async () => {
    const { window } = windowOf(() => new Promise(() => undefined), {
      options: { windowPerSubscription: 4, maxParked: 10, slowAfter: 5 },
    });
    const log = logOf();
    window.accept(
      log,
      entries(11, () => ASYNCHRONOUS),
    );
    // One runs, four are queued, six wait for a place.
    expect([log.running, window.size, window.parked, window.room()]).toEqual([1, 11, 0, 4]);
    clock.advance(10);
    await settled();
    expect([log.running, window.size, window.parked, window.room()]).toEqual([1, 5, 6, 4]);
  });

  it('reads the entries that it left in Redis when the queue has room, in order, without dropped ones', async () => {
    const all = entries(20, () => ASYNCHRONOUS);
    const handled: number[] = [];
    let release: (() => void) | undefined;
    const { window } = windowOf(
      (entry, finish) => {
        handled.push(numberOf(entry));
        if (handled.length > 1) return turn().then(finish);
        return new Promise<void>((resolve) => (release = resolve)).then(finish);
      },
      { options: { windowPerSubscription: 4, slowAfter: 5 }, stored: all.filter((_, n) => n !== 9) },
    );
    window.accept(logOf(), all);
    clock.advance(10);
    await settled();
    expect(window.parked).toBe(15);
    release!();
    await eventually('all but the dropped one', 10_000, () => handled.length === 19);
    expect(handled).toEqual(Array.from({ length: 20 }, (_, n) => n).filter((n) => n !== 9));
    await settled();
    expect([window.size, window.parked]).toEqual([0, 0]);
  });

  it('stays within its limit when two queues read entries from Redis at once', async () => {
    const WINDOW = 12;
    const all = entries(40, (n) => `d;${n % 2}`);
    const fillers: (() => void)[] = [];
    const handled: number[] = [];
    let open: (() => void) | undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const { window } = windowOf(
      (entry, finish) => {
        if (numberOf(entry) >= 100) return new Promise<void>((done) => fillers.push(done)).then(finish);
        handled.push(numberOf(entry));
        return opened.then(turn).then(finish);
      },
      { options: { window: WINDOW, windowPerSubscription: 4, slowAfter: 5 }, stored: all },
    );
    const log = logOf();
    let read = 0;
    while (read < all.length) {
      const page = all.slice(read, read + window.room());
      window.accept(log, page);
      read += page.length;
      clock.advance(10);
      await settled();
    }
    expect(window.parked).toBe(30);

    /** Other subscriptions take every place that becomes free. */
    const fill = () => {
      const places = WINDOW - window.size;
      window.accept(
        log,
        Array.from({ length: places }, (_, i) => entryOf(100 + read + i, `d;${read + i}`)),
      );
      read += places;
    };
    fill();
    open!();
    let largest = 0;
    for (let i = 0; i < 2_000 && (handled.length < 40 || window.size > 0); i++) {
      if (handled.length < 10) fill();
      else fillers.shift()?.();
      await turn();
      largest = Math.max(largest, window.size);
    }
    expect(handled).toHaveLength(40);
    expect(largest).toBe(WINDOW);
  });

  it('starts no callback before Redis has confirmed the owner, and none when the confirmation is too old', async () => {
    let confirm: ((standing: Standing) => void) | undefined;
    const { handled, handle } = quick();
    const { window } = windowOf(handle, {
      answer: () => new Promise((resolve) => (confirm = resolve)),
    });
    const log = logOf({ confirmed: false });
    window.accept(
      log,
      entries(3, () => QUICK),
    );
    await settled();
    expect(handled).toEqual([]);
    confirm!('owner');
    await settled();
    expect(handled).toEqual([0, 1, 2]);

    clock.freeze(OWNER_VALIDITY + 1);
    window.accept(
      log,
      entries(3, () => QUICK, 3),
    );
    await settled();
    expect(handled).toEqual([0, 1, 2]);
  });

  it('counts the age of a confirmation from when it was asked for', async () => {
    let confirm: ((standing: Standing) => void) | undefined;
    const { handled, handle } = quick();
    const { window } = windowOf(handle, {
      answer: () => new Promise((resolve) => (confirm = resolve)),
    });
    window.accept(
      logOf({ confirmed: false }),
      entries(3, () => QUICK),
    );
    await settled();
    clock.freeze(OWNER_VALIDITY + 1);
    confirm!('owner');
    await settled();
    expect(handled).toEqual([]);
    confirm!('owner');
    await settled();
    expect(handled).toEqual([0, 1, 2]);
  });

  it('does not even ask for a confirmation before a new owner has waited', async () => {
    let asked = 0;
    const { handled, handle } = quick();
    const { window } = windowOf(handle, {
      answer: () => {
        asked++;
        return 'owner';
      },
    });
    const log = logOf({ confirmed: false, wait: 1_020 });
    window.accept(
      log,
      entries(3, () => QUICK),
    );
    clock.advance(1_019);
    window.proceed();
    await settled();
    expect([asked, handled.length]).toEqual([0, 0]);
    clock.advance(1);
    window.proceed();
    await settled();
    expect(handled).toEqual([0, 1, 2]);
  });

  it('forgets its queue when another process owns the log, and starts none of it', async () => {
    const handled: number[] = [];
    const returns: (() => void)[] = [];
    let standing: Standing = 'owner';
    const { window } = windowOf(
      (entry, finish) => {
        handled.push(numberOf(entry));
        return new Promise<void>((resolve) => returns.push(resolve)).then(finish);
      },
      { answer: () => standing },
    );
    const [lost, kept] = [logOf(), logOf({ partition: 1 })];
    window.accept(
      lost,
      entries(10, () => QUICK),
    );
    window.accept(
      kept,
      entries(2, () => ASYNCHRONOUS, 10),
    );
    expect(handled).toEqual([0, 10]);
    standing = 'refused';
    // The next callback starts, because this process does not know it yet.
    returns[0]!();
    await settled();
    expect(lost.signal.aborted).toBe(true);
    expect(kept.signal.aborted).toBe(false);
    returns[2]!();
    await settled();
    expect(handled).toEqual([0, 10, 1]);
    // The running and the queued entries of the other log.
    expect(window.size).toBe(2);
    window.accept(
      lost,
      entries(1, () => QUICK, 20),
    );
    expect(window.size).toBe(2);
  });

  it('marks entries as redelivered while it catches up, and none after that', async () => {
    const seen: boolean[] = [];
    const { window } = windowOf((entry, finish) => {
      seen.push(entry.redelivered);
      finish();
      return undefined;
    });
    const log = logOf({ catchingUp: true });
    window.accept(
      log,
      entries(2, () => QUICK),
    );
    log.catchingUp = false;
    window.accept(
      log,
      entries(2, () => QUICK, 2),
    );
    await settled();
    expect(seen).toEqual([true, true, false, false]);
  });
});
