import { doubling } from '../../util/backoff.js';
import type { Dice } from './dice.js';
import type { ModelProcess } from './model-process.js';
import type { ModelServer, ServerSocket } from './model-server.js';
import type { SimTime } from './sim-time.js';

/** The network between a process and the server. */
export interface Network {
  /** One way, milliseconds; each message takes something between. */
  latency: readonly [low: number, high: number];
  /** How probable it is that a message gets lost, or is late by up to {@link lateness}. */
  loss: number;
  lateness: number;
}

export interface ConnectionEvents {
  ready(): void;
  closed(): void;
  /** An attempt to connect failed. */
  failed(): void;
}

export interface ConnectionParts {
  readonly time: SimTime;
  readonly process: ModelProcess;
  readonly server: ModelServer;
  readonly dice: Dice;
  readonly network: Network;
}

/** When the kernel repeats an unanswered dial, and when it gives up. Milliseconds. */
const SYN_AGAIN = 1_000;
const DIAL_TIMEOUT = 3_000;

/** A connection of a process to the server, dialled again whenever it breaks. */
export class ModelConnection {
  ready = false;
  private cutOff = false;
  private wanted = false;
  private attempts = 0;
  private retry: unknown;
  /** Changes with each dial, so that what belongs to an older one is ignored. */
  private generation = 0;
  private socket: ServerSocket | undefined;
  /** Which start of the server it leads to: nothing that is sent over it reaches a later one. */
  private boot = 0;
  private lastArrival = 0;
  /** What happens when the partition has healed. */
  private atHeal: (() => void)[] = [];

  constructor(
    private readonly parts: ConnectionParts,
    private readonly events: ConnectionEvents,
  ) {}

  /** Whether messages get through. */
  get passes(): boolean {
    return !this.cutOff && this.parts.server.up;
  }

  open(): void {
    this.wanted = true;
    this.dial();
  }

  /** Closed by the process, or by its kernel after its death. */
  close(): void {
    this.wanted = false;
    this.parts.process.clearTimeout(this.retry);
    this.disconnect();
  }

  /** Given up by the process as useless. */
  redial(): void {
    if (!this.ready) return;
    this.disconnect();
    this.again();
  }

  /** From now on nothing passes, and neither side gets an error. */
  cut(): void {
    this.cutOff = true;
  }

  heal(): void {
    this.cutOff = false;
    for (const happen of this.atHeal.splice(0)) this.parts.time.after(this.latency(), happen);
  }

  /** The server closes it. */
  dropAtServer(): void {
    if (this.socket) this.parts.server.drop(this.socket);
  }

  /**
   * Sends what the server is to do. While the connection is cut, it gets lost or is done after that, even if the process has
   * given up this connection by then. `reply` is for the process, and never comes after it has.
   */
  send(act: () => unknown, reply: (result: unknown, failed: boolean) => void): void {
    const { server, process, network, dice } = this.parts;
    const { generation, boot } = this;
    const arrive = () => {
      if (!server.up || server.boot !== boot) return;
      let result: unknown;
      let failed = false;
      try {
        result = act();
      } catch (error) {
        result = error;
        failed = true;
      }
      this.travel(() =>
        process.input(() => {
          if (generation === this.generation) reply(result, failed);
        }),
      );
    };
    if (dice.happens(network.loss)) return;
    this.travel(arrive);
  }

  /** Shows the presence of an instance of a candidate to the server. */
  subscribe(instance: string, subscribed: () => void): void {
    const { socket } = this;
    if (socket) this.send(() => (socket.subscribedTo = instance), subscribed);
  }

  private travel(arrive: () => void): void {
    const { time, dice, network } = this.parts;
    if (this.cutOff) {
      if (dice.happens(0.5)) this.atHeal.push(arrive);
      return;
    }
    if (dice.happens(network.loss))
      return dice.happens(0.5) ? undefined : time.after(dice.between(0, network.lateness), arrive);
    // One after the other, as in a stream.
    this.lastArrival = Math.max(this.lastArrival, time.now + this.latency());
    time.after(this.lastArrival - time.now, arrive);
  }

  private disconnect(): void {
    const { socket } = this;
    this.generation++;
    this.ready = false;
    this.socket = undefined;
    if (!socket) return;
    const forget = () => void this.parts.server.sockets.delete(socket);
    if (this.cutOff) this.atHeal.push(forget);
    else this.parts.time.after(this.latency(), forget);
  }

  private dial(): void {
    const { process } = this.parts;
    const generation = ++this.generation;
    const knock = (waited: number) => {
      if (generation !== this.generation) return;
      if (!this.cutOff) this.parts.time.after(2 * this.latency(), () => this.answer(generation));
      else if (waited + SYN_AGAIN >= DIAL_TIMEOUT) this.fail();
      else this.retry = process.setTimeout(() => knock(waited + SYN_AGAIN), SYN_AGAIN);
    };
    knock(0);
  }

  private answer(generation: number): void {
    const { process, server } = this.parts;
    if (generation !== this.generation || !process.alive) return;
    if (this.cutOff || !server.up)
      return process.input(() => {
        if (generation === this.generation) this.fail();
      });
    const socket: ServerSocket = { subscribedTo: undefined, onClosed: () => this.lost(generation) };
    server.sockets.add(socket);
    this.socket = socket;
    this.boot = server.boot;
    process.input(() => {
      if (generation !== this.generation) return;
      this.ready = true;
      this.attempts = 0;
      this.events.ready();
    });
  }

  /** The server has closed the connection. */
  private lost(generation: number): void {
    const tell = () =>
      this.parts.process.input(() => {
        if (generation !== this.generation) return;
        this.disconnect();
        this.events.closed();
        this.again();
      });
    if (this.cutOff) this.atHeal.push(tell);
    else this.parts.time.after(this.latency(), tell);
  }

  private fail(): void {
    this.generation++;
    this.events.failed();
    this.again();
  }

  private again(): void {
    if (!this.wanted) return;
    const { process, dice } = this.parts;
    const generation = ++this.generation;
    const delay = doubling(25, this.attempts++, 250) + dice.between(0, 50);
    this.retry = process.setTimeout(() => {
      if (generation === this.generation) this.dial();
    }, delay);
  }

  private latency(): number {
    const { dice, network } = this.parts;
    return dice.between(...network.latency);
  }
}
