import { doubling } from '@detector-cluster/election/internal';
import type { Dice } from '../../../election/src/test-support/model/dice.js';
import type { ModelProcess } from '../../../election/src/test-support/model/model-process.js';
import type { SimTime } from '../../../election/src/test-support/model/sim-time.js';
import type { ModelServer } from './model-server.js';

/** What is between a process and the server. Milliseconds. */
export interface Network {
  /** One way; each message takes something between. */
  latency: readonly [low: number, high: number];
  /** How probable it is that a message gets lost, and that it comes late, by up to {@link LATENESS}. */
  loss: number;
  late: number;
}

export interface LinkParts {
  readonly time: SimTime;
  readonly dice: Dice;
  readonly server: ModelServer;
  readonly process: ModelProcess;
  readonly network: Network;
}

export interface LinkOptions {
  /** After this time an unanswered call fails; the server may still apply it. */
  readonly timeout: number;
  /** A connection that has been silent for this time is closed when a call on it fails. */
  readonly silence: number;
  /** Calls wait for the connection instead of failing at once. */
  readonly queues: boolean;
  readonly onReady?: () => void;
}

/** What a call gets: a result, or the error of the server. */
type Answer<T> = (result: T | Error) => void;

interface Call {
  readonly settle: Answer<unknown>;
}

const LATENESS = 3_000;
/** An unanswered dial is repeated after this time. */
const DIAL_AGAIN = 1_000;

/**
 * A connection of a process to the server, which is dialled again whenever it breaks. A call fails when its outcome is unknown, and
 * is never repeated here. What was sent over a connection that is cut may still arrive when the process has given it up.
 */
export class ModelLink {
  private ready = false;
  private wanted = false;
  private cutOff = false;
  /** Changes with each dial, so that what belongs to an older one is ignored. */
  private generation = 0;
  /** Which start of the server it leads to. */
  private boot = 0;
  private attempts = 0;
  private lastArrival = 0;
  private lastHeard = 0;
  private readonly calls = new Set<Call>();
  private waiting: (Call & { readonly begin: () => void })[] = [];
  private atHeal: (() => void)[] = [];

  constructor(
    private readonly parts: LinkParts,
    private readonly options: LinkOptions,
  ) {}

  open(): void {
    this.wanted = true;
    this.dial();
  }

  /** Closed by the process. */
  close(): void {
    this.wanted = false;
    this.disconnect('the connection is closed');
    for (const { settle } of this.waiting.splice(0)) settle(new Error('the connection is closed'));
  }

  /** Blocks all traffic, without a notice to either side. */
  cut(): void {
    this.cutOff = true;
  }

  heal(): void {
    if (!this.cutOff) return;
    this.cutOff = false;
    for (const happen of this.atHeal.splice(0)) this.parts.time.after(this.latency(), happen);
  }

  /** Reset on the way: the process hears of it. */
  reset(): void {
    const { process, time } = this.parts;
    const { generation } = this;
    const tell = () =>
      process.input(() => {
        if (generation !== this.generation) return;
        this.disconnect('the connection is lost');
        this.again();
      });
    if (this.cutOff) this.atHeal.push(tell);
    else time.after(this.latency(), tell);
  }

  call<T>(act: () => T): Promise<T> {
    return this.request<T>((answer) => answer(act()));
  }

  /** The server may answer later. */
  request<T>(act: (answer: Answer<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!this.parts.process.alive) return;
      const settle = (result: unknown) => (result instanceof Error ? reject(result) : resolve(result as T));
      const begin = () => this.begin(act as (answer: Answer<unknown>) => void, settle);
      if (this.ready) begin();
      else if (this.wanted && this.options.queues) this.waiting.push({ begin, settle });
      else settle(new Error('not connected'));
    });
  }

  private begin(act: (answer: Answer<unknown>) => void, settle: Answer<unknown>): void {
    const { process } = this.parts;
    const done = (result: unknown) => {
      if (!this.calls.delete(call)) return;
      process.clearTimeout(timer);
      settle(result);
    };
    const call: Call = { settle: done };
    this.calls.add(call);
    const timer = process.setTimeout(() => {
      done(new Error('no answer in time'));
      if (process.now() - this.lastHeard >= this.options.silence) this.redial();
    }, this.options.timeout);
    this.send(act, done);
  }

  private send(act: (answer: Answer<unknown>) => void, done: Answer<unknown>): void {
    const { process, server } = this.parts;
    const { boot, generation } = this;
    const answer = (result: unknown) =>
      this.travel(() =>
        process.input(() => {
          if (generation !== this.generation) return;
          this.lastHeard = process.now();
          done(result);
        }),
      );
    const arrive = () =>
      server.serve(boot, () => {
        try {
          act(answer);
        } catch (error) {
          answer(error);
        }
      });
    this.travel(arrive);
  }

  private travel(arrive: () => void): void {
    const { dice, network, time } = this.parts;
    if (this.cutOff) {
      if (dice.happens(0.5)) this.atHeal.push(arrive);
      return;
    }
    if (dice.happens(network.loss)) return;
    if (dice.happens(network.late)) return time.after(dice.between(0, LATENESS), arrive);
    // One after the other, as in a stream.
    this.lastArrival = Math.max(this.lastArrival, time.now + this.latency());
    time.after(this.lastArrival - time.now, arrive);
  }

  private redial(): void {
    this.disconnect('the connection is silent');
    this.again();
  }

  private disconnect(reason: string): void {
    this.generation++;
    this.ready = false;
    for (const { settle } of this.calls) settle(new Error(reason));
  }

  private dial(): void {
    const { process, time } = this.parts;
    const generation = ++this.generation;
    if (this.cutOff) {
      process.setTimeout(() => {
        if (generation === this.generation && this.wanted) this.dial();
      }, DIAL_AGAIN);
      return;
    }
    time.after(2 * this.latency(), () => process.input(() => this.dialled(generation)));
  }

  private dialled(generation: number): void {
    const { process, server } = this.parts;
    if (generation !== this.generation || !this.wanted) return;
    if (this.cutOff || !server.up) return this.again();
    this.ready = true;
    this.attempts = 0;
    this.boot = server.boot;
    this.lastHeard = process.now();
    for (const { begin } of this.waiting.splice(0)) begin();
    this.options.onReady?.();
  }

  private again(): void {
    if (!this.wanted) return;
    const { dice, process } = this.parts;
    const generation = ++this.generation;
    const delay = doubling(25, this.attempts++, 250) + dice.between(0, 50);
    process.setTimeout(() => {
      if (generation === this.generation && this.wanted) this.dial();
    }, delay);
  }

  private latency(): number {
    const { dice, network } = this.parts;
    return dice.between(...network.latency);
  }
}
