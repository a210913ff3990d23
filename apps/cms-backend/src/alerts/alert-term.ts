import { FencedError, type FencedStore } from '@detector-cluster/election/fence';
import { doubling, Repeater, toError } from '@detector-cluster/election/internal';
import { isRedisUnavailable } from '@detector-cluster/election/internal/redis';
import type { Logger } from '@nestjs/common';
import { type AlertRecord, advance, type Attempts, count, readAlertRecord, UNTRIED } from './alert-record.js';
import type { AlertMessage, AlertReceiver } from './alert-receivers.js';
import type { ClusterFacts, Counted } from './conditions.js';

/** How often the conditions are evaluated. Milliseconds. */
const TICK = 1_000;

/** Time until workers have reported to a new master: until then alerts stay as its predecessor left them. Milliseconds. */
const SETTLING = 5_000;

/** Pauses after failures of a receiver: doubled each time. Milliseconds. */
const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 60_000;

export interface AlertTermParts {
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly store: Pick<FencedStore, 'write' | 'redis'>;
  readonly key: string;
  readonly receivers: readonly AlertReceiver[];
  /** Null: this process does not know its cluster, or may not act. */
  readonly facts: () => ClusterFacts | null;
  /** What has happened since this process started. */
  readonly counts: () => Readonly<Partial<Record<keyof Counted, number>>>;
  readonly post: (message: AlertMessage, signal: AbortSignal) => Promise<void>;
  readonly logger: Pick<Logger, 'warn' | 'log'>;
}

/** Evaluates the alerts during one term of the master, and tells the receivers. What it knows is written through the fence first. */
export class AlertTerm {
  private readonly ticks: Repeater;
  private record: AlertRecord | null = null;
  private written = '';
  private failed = false;
  private readonly counted: Record<string, number>;
  /** What receivers have answered since the last tick. */
  private answers: ((record: AlertRecord) => AlertRecord)[] = [];
  private readonly senders: readonly Sender[];

  constructor(private readonly parts: AlertTermParts) {
    this.counted = { ...parts.counts(), masters: -1 };
    this.senders = parts.receivers.map((receiver) => ({ receiver, busy: false, failures: 0, notBefore: 0 }));
    this.ticks = new Repeater({ signal: parts.signal, run: () => this.tick() });
  }

  begin(): void {
    this.ticks.poke(SETTLING);
  }

  private async tick(): Promise<void> {
    try {
      const facts = this.parts.facts();
      if (facts !== null) await this.evaluate(facts);
      this.failed = false;
    } catch (error) {
      if (error instanceof FencedError) return;
      // If Redis is unavailable, other parts log it. The next tick tries again.
      if (!isRedisUnavailable(error) && !this.failed)
        this.parts.logger.warn(`alerts cannot be followed: ${String(error)}; trying again until they can`);
      this.failed = !isRedisUnavailable(error);
    }
    this.ticks.poke(TICK);
  }

  private async evaluate(facts: ClusterFacts): Promise<void> {
    const { store, key, receivers } = this.parts;
    if (this.record === null) {
      this.written = (await store.redis.get(key)) ?? '';
      this.record = readAlertRecord(this.written);
    }
    const now = Date.now();
    const answers = [...this.answers];
    const counts = { masters: 0, ...this.parts.counts() };
    const happened = Object.fromEntries(
      Object.entries(counts).map(([name, value]) => [name, value - (this.counted[name] ?? 0)]),
    );
    const next = advance(
      answers.reduce((record, answer) => answer(record), count(this.record, happened, now)),
      facts,
      receivers.map(({ name }) => name),
      now,
    );
    const text = JSON.stringify(next);
    if (text !== this.written) await store.write([['SET', key, text]]);
    this.written = text;
    this.record = next;
    this.answers = this.answers.slice(answers.length);
    Object.assign(this.counted, counts);
    // What was answered in the meantime is not in the record yet: a receiver would get the same message again.
    if (this.answers.length === 0) for (const sender of this.senders) this.send(sender, next, now);
  }

  private send(sender: Sender, record: AlertRecord, now: number): void {
    const { receiver, busy, notBefore } = sender;
    if (busy || performance.now() < notBefore || this.parts.signal.aborted) return;
    const message = receiver.next(record, now);
    if (message === null) return;
    sender.busy = true;
    this.parts
      .post(message, this.parts.signal)
      .then(
        () => this.taken(sender, message),
        (error: unknown) => this.refused(sender, toError(error).message),
      )
      .finally(() => (sender.busy = false));
  }

  private taken(sender: Sender, message: AlertMessage): void {
    const { name } = sender.receiver;
    if (sender.failures > 0) this.parts.logger.log(`the ${name} takes alerts again`);
    sender.failures = 0;
    sender.notBefore = 0;
    this.note(name, { sentAt: Date.now(), failedAt: null, problem: null }, message.taken);
  }

  private refused(sender: Sender, problem: string): void {
    if (this.parts.signal.aborted) return;
    const { name } = sender.receiver;
    if (sender.failures === 0)
      this.parts.logger.warn(`the ${name} does not take alerts: ${problem}; trying again until it does`);
    sender.notBefore = performance.now() + doubling(FIRST_PAUSE, sender.failures++, MAX_PAUSE);
    this.note(name, { failedAt: Date.now(), problem });
  }

  private note(
    name: AlertReceiver['name'],
    attempt: Partial<Attempts>,
    taken: AlertMessage['taken'] = (record) => record,
  ): void {
    this.answers.push((before) => {
      const record = taken(before);
      const { receivers } = record;
      const known = receivers[name] ?? UNTRIED;
      return { ...record, receivers: { ...receivers, [name]: { ...known, ...attempt } } };
    });
  }
}

/** A receiver, and how its last requests went. */
interface Sender {
  readonly receiver: AlertReceiver;
  busy: boolean;
  failures: number;
  /** When it may be asked again, on the monotonic clock. */
  notBefore: number;
}
