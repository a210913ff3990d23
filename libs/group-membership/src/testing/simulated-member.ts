import type { Clock, TimerHandle } from '@detector-cluster/election';
import type { Grant } from '@detector-cluster/election/testing';
import { GroupMember } from '../session/group-member.js';
import type { CoreGroupOptions } from '../session/group-options.js';
import type { SimulatedGroup } from './simulated-group.js';

/** A member in the simulation, with the faults that can hit it. */
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
  private suspendedAt: number | undefined;
  /** How long its monotonic clock has stood still. */
  private suspendedFor = 0;

  constructor(
    private readonly world: SimulatedGroup,
    readonly address: string,
    options: Partial<CoreGroupOptions>,
  ) {
    const clock: Clock = {
      now: () => this.monotonic,
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
      this.grants.push({
        owner: address,
        term,
        sentAt: world.clock.now(),
        validUntil: validUntil + this.suspendedFor,
      }),
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

  /** Ends the member as SIGKILL would. */
  kill(): void {
    this.dead = true;
  }

  /** Freezes the member as SIGSTOP or work that does not yield would. */
  freeze(): void {
    this.asleep ??= [];
  }

  /** The whole machine sleeps: its monotonic clock stands still, and its wall clock does not. */
  suspend(): void {
    this.freeze();
    this.suspendedAt ??= this.world.clock.now();
  }

  /** Everything that became due while it was frozen happens now, timers before messages, as in Node. */
  thaw(): void {
    if (this.suspendedAt !== undefined) this.suspendedFor += this.world.clock.now() - this.suspendedAt;
    this.suspendedAt = undefined;
    const waiting = this.asleep ?? [];
    this.asleep = undefined;
    for (const callback of waiting) this.run(callback);
  }

  private get monotonic(): number {
    return (this.suspendedAt ?? this.world.clock.now()) - this.suspendedFor;
  }

  run(callback: () => void): void {
    if (this.dead) return;
    if (this.asleep) this.asleep.push(callback);
    else callback();
  }
}
