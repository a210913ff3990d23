import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FencedError } from '@detector-cluster/election/fence';
import { factsOf, withoutDatabase } from './alerts.fixture.js';
import { readAlertRecord } from './alert-record.js';
import { type AlertMessage, receiversOf } from './alert-receivers.js';
import { AlertTerm } from './alert-term.js';
import type { ClusterFacts } from './conditions.js';

const MINUTE = 60_000;

const receivers = () =>
  receiversOf(
    { alertmanager: null, webhook: { url: 'http://hook', secret: Buffer.alloc(32) }, labels: {} },
    'default',
  );

/** Masters, one after the other, in virtual time. The webhook answers each request by `answer`. */
class World {
  facts: ClusterFacts | (() => ClusterFacts) = factsOf();
  stored: string | null = null;
  /** How long Redis takes for a write. Milliseconds. */
  delay = 0;
  /** Redis refuses writes with it. */
  refusal: Error | null = null;
  /** The masters of earlier terms are fenced off. */
  private highest = 0;
  readonly sent: { readonly id: string; readonly at: number }[] = [];
  readonly logged: string[] = [];
  answer: (message: AlertMessage, signal: AbortSignal) => Promise<void> = () => Promise.resolve();

  begin(): AbortController {
    const term = ++this.highest;
    const ending = new AbortController();
    new AlertTerm({
      signal: ending.signal,
      store: {
        redis: { get: () => Promise.resolve(this.stored) } as never,
        write: async ([command]) => {
          if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
          if (term < this.highest) throw new FencedError(term, this.highest);
          if (this.refusal !== null) throw this.refusal;
          this.stored = String(command![2]);
          return [];
        },
      },
      key: 'alerts',
      receivers: receivers(),
      facts: () => (typeof this.facts === 'function' ? this.facts() : this.facts),
      counts: () => ({}),
      post: (message, signal) => {
        this.sent.push({ id: String(message.headers['webhook-id']), at: Date.now() });
        return this.answer(message, signal);
      },
      logger: {
        warn: (text: string) => this.logged.push(text),
        log: (text: string) => this.logged.push(text),
      },
    }).begin();
    return ending;
  }

  get record() {
    return readAlertRecord(this.stored);
  }

  get ids(): readonly string[] {
    return this.sent.map(({ id }) => id);
  }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('AlertTerm', () => {
  let world: World;
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12) });
    world = new World();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells the webhook once that an alert fires, and once that it is over', async () => {
    world.begin();
    await pass(MINUTE);
    expect(world.sent).toEqual([]);
    world.facts = withoutDatabase;
    await pass(20 * MINUTE);
    const [firing] = world.ids;
    expect(firing).toMatch(/^DetectorClusterDesiredStateUnreadable-\d+-firing$/);
    world.facts = factsOf();
    await pass(20 * MINUTE);
    expect(world.ids).toEqual([firing, firing!.replace('firing', 'resolved')]);
    expect(world.record).toMatchObject({ waiting: [], receivers: { webhook: { problem: null } } });
  });

  it('tries again with the same id, after longer pauses, and says when it fails and when it works again', async () => {
    world.facts = withoutDatabase;
    world.answer = () => Promise.reject(new Error('it answered 500'));
    world.begin();
    await pass(10 * MINUTE);
    const pauses = world.sent.slice(1).map(({ at }, n) => (at - world.sent[n]!.at) / 1_000);
    expect(pauses.slice(0, 4).every((pause, n) => pause >= 2 ** n && pause <= 2 ** n + 1)).toBe(true);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(61);
    expect(world.record.receivers.webhook).toMatchObject({ sentAt: null, problem: 'it answered 500' });
    world.answer = () => Promise.resolve();
    await pass(2 * MINUTE);
    expect(new Set(world.ids).size).toBe(1);
    expect(world.record.receivers.webhook).toMatchObject({ failedAt: null, problem: null });
    expect(world.logged).toEqual([
      'the webhook does not take alerts: it answered 500; trying again until it does',
      'the webhook takes alerts again',
    ]);
  });

  it('asks a receiver once at a time', async () => {
    world.facts = withoutDatabase;
    world.answer = () => new Promise(() => undefined);
    world.begin();
    await pass(20 * MINUTE);
    expect(world.sent).toHaveLength(1);
  });

  it('does not send again what was taken while Redis was slow', async () => {
    let pending = 0;
    // The record changes with each tick.
    world.facts = () => ({
      ...withoutDatabase,
      subscriptions: { ...factsOf().subscriptions, pending: ++pending },
    });
    world.delay = 500;
    world.answer = () => new Promise((resolve) => setTimeout(resolve, 1_200));
    world.begin();
    await pass(10 * MINUTE);
    expect(world.ids).toHaveLength(2);
    expect(new Set(world.ids).size).toBe(2);
  });

  it('sends again what a master did not know to be taken, with the same id, and since the same time', async () => {
    world.facts = withoutDatabase;
    world.answer = () => new Promise(() => undefined);
    world.begin();
    await pass(6 * MINUTE);
    const { held } = world.record;
    world.answer = () => Promise.resolve();
    world.begin();
    await pass(MINUTE);
    expect(world.ids).toHaveLength(2);
    expect(new Set(world.ids).size).toBe(1);
    expect(world.record).toMatchObject({ held, waiting: [] });
  });

  it('leaves alerts as they are until workers can have reported to a new master', async () => {
    world.facts = withoutDatabase;
    world.begin().abort();
    world.begin();
    await pass(6 * MINUTE);
    const { held } = world.record;
    world.facts = factsOf();
    world.begin();
    await pass(4_000);
    world.facts = withoutDatabase;
    await pass(MINUTE);
    expect(world.record.held).toEqual(held);
    expect(world.ids).toHaveLength(1);
  });

  it('sends nothing before Redis has it, and nothing for a later master', async () => {
    world.facts = withoutDatabase;
    world.begin();
    world.refusal = new Error('away');
    await pass(10 * MINUTE);
    expect(world.sent).toEqual([]);
    world.begin();
    world.refusal = null;
    world.facts = factsOf();
    await pass(10 * MINUTE);
    expect(world.sent).toEqual([]);
  });

  it('counts the masters, over all of them', async () => {
    for (let n = 0; n < 6; n++) {
      world.begin();
      await pass(10_000);
    }
    expect(world.sent).toEqual([]);
    world.begin();
    await pass(10_000);
    expect(world.ids).toEqual([expect.stringMatching(/^DetectorClusterMasterChanges-/)]);
  });

  it('ends its request with the term', async () => {
    let aborted = false;
    world.facts = withoutDatabase;
    world.answer = (_message, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('aborted'));
        });
      });
    const term = world.begin();
    await pass(6 * MINUTE);
    term.abort();
    await pass(MINUTE);
    expect(aborted).toBe(true);
    expect(world.logged).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
