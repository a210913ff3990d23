import { seededRandom } from '@detector-cluster/election/internal';
import { checkHistory } from '@detector-cluster/election/testing';
import type { CoreGroupOptions } from '../session/group-options.js';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';
import { type GroupMessage, messageSchema, type Receive, type Transport } from '../transport/message.js';
import { SimulatedClock } from './simulated-clock.js';
import { SimulatedMember } from './simulated-member.js';

/** Fraction of the messages that are checked against their schema. */
const CHECKED = 0.05;

/** A group in virtual time: members, a network between them, and a store. */
export class SimulatedGroup {
  readonly clock = new SimulatedClock();
  readonly store = new MemoryLeaderStore();
  readonly members: SimulatedMember[] = [];
  readonly random: () => number;
  /** Fraction of the messages that are lost. */
  loss = 0;
  /** How much longer than other messages an answer to JOIN takes. Milliseconds. */
  answerDelay = 0;
  /** Whether members treat the store as durable. */
  durableStore = false;
  delivered = 0;
  private readonly byAddress = new Map<string, SimulatedMember>();
  private readonly receivers = new Map<string, Receive>();

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  add(options: Partial<CoreGroupOptions> = {}): SimulatedMember {
    return this.addAt(`member-${this.members.length + 1}:7000`, options);
  }

  /** A second process at the same address replaces the first, as after a restart. */
  addAt(address: string, options: Partial<CoreGroupOptions> = {}): SimulatedMember {
    const member = new SimulatedMember(this, address, options);
    this.members.push(member);
    this.byAddress.set(address, member);
    return member;
  }

  /** Starts members and waits until they have joined and agree on the leader and on the members. */
  async start(size: number, options: Partial<CoreGroupOptions> = {}): Promise<void> {
    for (let i = 0; i < size; i++) this.add(options).start();
    await this.clock.until('all members agree', 120_000, () => this.agreed());
  }

  get living(): SimulatedMember[] {
    return this.members.filter(({ dead, failure }) => !dead && failure === undefined);
  }

  get leader(): SimulatedMember | undefined {
    return this.living.find(({ member }) => member.mayAct);
  }

  /** Id of the leader on which all live members agree, whether it may act yet or not. */
  get elected(): number | undefined {
    const [first, ...others] = this.living.map(({ member }) => member.leader?.id);
    return others.every((id) => id === first) ? first : undefined;
  }

  /** Whether all of them, by default all live members, know each other and one leader among them that may act. */
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

  /** Violations in the history of leaders; empty when there are none. */
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
        // A message that a real connection could not carry must fail here too.
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
      durable: this.durableStore,
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
    }, this.answerDelay + this.latency());
  }
}
