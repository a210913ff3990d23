import type { Clock, TimerHandle } from '@detector-cluster/election';
import { checkHistory, type Grant } from '@detector-cluster/election/testing';
import { GroupMember } from '../member/group-member.js';
import type { CoreGroupOptions } from '../member/group-options.js';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';
import type { Receive, Transport } from '../transport/transport.js';
import { messageSchema, type GroupMessage } from '../wire/message.js';
import { SimulatedClock } from './simulated-clock.js';

/** Part of the messages that are checked against their schema. */
const CHECKED = 0.05;

/** Numbers in [0, 1) that look random and are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A member in the simulation, with what can happen to it. */
export class SimulatedMember {
  member: GroupMember;
  readonly grants: { -readonly [Key in keyof Grant]: Grant[Key] }[] = [];
  readonly errors: Error[] = [];
  failure: Error | undefined;
  dead = false;
  /** Members of different sides do not hear each other. */
  side = 0;
  storeAway = false;
  private asleep: (() => void)[] | undefined;

  constructor(
    world: SimulatedGroup,
    readonly address: string,
    options: Partial<CoreGroupOptions>,
  ) {
    const clock: Clock = {
      now: () => world.clock.now(),
      wallNow: () => world.clock.wallNow(),
      setTimeout: (callback, delay): TimerHandle => world.clock.setTimeout(() => this.run(callback), delay),
      clearTimeout: (handle) => world.clock.clearTimeout(handle),
    };
    this.member = new GroupMember({
      store: world.storeOf(this),
      transport: world.transportOf(this),
      random: world.random,
      onWarning: () => undefined,
      ...options,
      clock,
    });
    this.member.on('lease', ({ term, validUntil }) =>
      this.grants.push({ owner: address, term, sentAt: world.clock.now(), validUntil }),
    );
    this.member.on('lost', ({ term }) => {
      for (const grant of this.grants)
        if (grant.term === term) grant.validUntil = Math.min(grant.validUntil, world.clock.now());
    });
    this.member.on('error', (error) => this.errors.push(error));
  }

  get id(): number | null {
    return this.member.id;
  }

  start(): this {
    this.member.start().catch((error: Error) => (this.failure = error));
    return this;
  }

  /** As by SIGKILL. */
  kill(): void {
    this.dead = true;
  }

  /** As by SIGSTOP, or by work that does not yield. */
  freeze(): void {
    this.asleep ??= [];
  }

  /** All that has come due meanwhile happens now, timers before messages, as in Node. */
  thaw(): void {
    const waiting = this.asleep ?? [];
    this.asleep = undefined;
    for (const callback of waiting) this.run(callback);
  }

  run(callback: () => void): void {
    if (this.dead) return;
    if (this.asleep) this.asleep.push(callback);
    else callback();
  }
}

/** A group in virtual time: members, a network between them, and a store. */
export class SimulatedGroup {
  readonly clock = new SimulatedClock();
  readonly store = new MemoryLeaderStore();
  readonly members: SimulatedMember[] = [];
  readonly random: () => number;
  /** Part of the messages that are lost. */
  loss = 0;
  delivered = 0;
  private readonly byAddress = new Map<string, SimulatedMember>();
  private readonly receivers = new Map<string, Receive>();

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  add(options: Partial<CoreGroupOptions> = {}): SimulatedMember {
    return this.addAt(`member-${this.members.length + 1}:7000`, options);
  }

  /** A second process at the same address takes it over, as one that is started again. */
  addAt(address: string, options: Partial<CoreGroupOptions> = {}): SimulatedMember {
    const member = new SimulatedMember(this, address, options);
    this.members.push(member);
    this.byAddress.set(address, member);
    return member;
  }

  /** Members that run, have joined, and agree on who leads and who takes part. */
  async start(size: number, options: Partial<CoreGroupOptions> = {}): Promise<void> {
    for (let i = 0; i < size; i++) this.add(options).start();
    await this.clock.until('everybody agrees', 120_000, () => this.agreed());
  }

  get living(): SimulatedMember[] {
    return this.members.filter(({ dead, failure }) => !dead && failure === undefined);
  }

  get leader(): SimulatedMember | undefined {
    return this.living.find(({ member }) => member.mayAct);
  }

  /** Whether all of them, by default all that run, know one leader among them and each other. */
  agreed(among: readonly SimulatedMember[] = this.living): boolean {
    const leaders = among.filter(({ member }) => member.mayAct);
    if (leaders.length !== 1) return false;
    const ids = among.map(({ id }) => id).sort((a, b) => a! - b!);
    return among.every(
      ({ member }) =>
        member.leader?.id === leaders[0]!.id &&
        JSON.stringify(member.members.map(({ id }) => id)) === JSON.stringify(ids),
    );
  }

  /** What is wrong with who has led; empty when nothing is. */
  verdict(): string[] {
    return checkHistory(this.members.flatMap(({ grants }) => grants).filter((g) => g.validUntil > g.sentAt));
  }

  transportOf(owner: SimulatedMember): Transport {
    return {
      open: (receive) => {
        this.receivers.set(owner.address, receive);
        return Promise.resolve(owner.address);
      },
      close: () => {
        this.receivers.delete(owner.address);
        return Promise.resolve();
      },
      send: (address, message, unreachable) => {
        // What could not be sent over a real connection must not work here.
        if (this.random() < CHECKED) messageSchema.parse(message);
        if (this.random() < this.loss) return;
        this.clock.setTimeout(() => this.deliver(owner, address, message, unreachable), this.latency());
      },
    };
  }

  storeOf(owner: SimulatedMember): MemoryLeaderStore {
    const { store } = this;
    const call =
      <Args extends unknown[], Value>(act: (...args: Args) => Promise<Value>) =>
      (...args: Args) =>
        new Promise<Value>((resolve, reject) =>
          this.clock.setTimeout(() => {
            if (owner.storeAway) return owner.run(() => reject(new Error('connection refused')));
            if (owner.dead) return;
            void act(...args).then((value) =>
              this.clock.setTimeout(() => owner.run(() => resolve(value)), this.latency()),
            );
          }, this.latency()),
        );
    return Object.assign(Object.create(MemoryLeaderStore.prototype) as MemoryLeaderStore, {
      read: call(() => store.read()),
      swap: call((expected: string | null, next: string) => store.swap(expected, next)),
      cleanup: () => Promise.resolve(),
    });
  }

  private latency(): number {
    return 1 + Math.floor(this.random() * 4);
  }

  private deliver(
    from: SimulatedMember,
    address: string,
    message: GroupMessage,
    unreachable?: (error: Error) => void,
  ): void {
    const target = this.byAddress.get(address);
    if (target && !target.dead && target.side !== from.side) return;
    const receive = this.receivers.get(address);
    if (!target || target.dead || !receive)
      return from.run(() => unreachable?.(new Error('connection refused')));
    this.delivered++;
    target.run(() => receive(message, (answer) => this.answer(target, from, answer)));
  }

  private answer(from: SimulatedMember, to: SimulatedMember, message: GroupMessage): void {
    this.clock.setTimeout(() => {
      if (from.side === to.side) to.run(() => this.receivers.get(to.address)?.(message, () => undefined));
    }, this.latency());
  }
}
