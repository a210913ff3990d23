import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormatRise } from './format-rise.js';

/** Milliseconds, as in the product. */
const LOOK = 500;
const HEARTBEAT = 10_000;
const TTL = 45_000;
const RECONNECTED = 1_000;

const VERSIONS = ['1.0.0', '1.1.0'];

/** A process of version 1.0.0 understands level 1, one of version 1.1.0 level 2. */
interface Process {
  readonly level: number;
  /** The level that it writes. */
  written: number;
  /** It is registered, and reads what other processes write. */
  takesPart: boolean;
  nextBeat: number;
  pausedUntil: number;
}

type Step =
  | { readonly what: 'start'; readonly level: number }
  | { readonly what: 'end' | 'elect'; readonly which: number }
  | { readonly what: 'pause'; readonly which: number; readonly ms: number }
  | { readonly what: 'late raise' | 'wait'; readonly ms: number }
  | { readonly what: 'restart' | 'flush' | 'fail over' };

/** What differs from the product, to show that the model notices it. */
interface Defects {
  readonly raisesUnseen?: boolean;
  readonly forgetsToRestart?: boolean;
  readonly acceptsAll?: boolean;
  readonly forgetsLevel?: boolean;
}

/** What the registry holds. */
interface Stored {
  /** Process → when its entry expires. */
  readonly entries: ReadonlyMap<Process, number>;
  readonly level: number;
  /** The term that has raised it. */
  readonly term: number;
}

const EMPTY: Stored = { entries: new Map(), level: 1, term: 0 };

/** Processes, their registry in Redis, and a master, in virtual time. The steps of the registry are those of its scripts. */
class World {
  processes: Process[] = [];
  /** Whether a process would ever have misread what others write. */
  misread = false;
  private now = 0;
  private redis = EMPTY;
  /** What a replica has. */
  private before = EMPTY;
  private term = 0;
  private master: Process | null = null;
  private rise = this.newRise();
  private lateBy = 0;
  private late: {
    readonly at: number;
    readonly term: number;
    readonly level: number;
    readonly by: Process;
  }[] = [];

  constructor(private readonly defects: Defects) {}

  play(step: Step): void {
    const one = 'which' in step ? this.processes[step.which % Math.max(1, this.processes.length)] : undefined;
    switch (step.what) {
      case 'start':
        return this.start(step.level);
      case 'end':
        if (one) this.end(one);
        return;
      case 'elect':
        if (one && this.runs(one)) this.elect(one);
        return;
      case 'pause':
        if (one) one.pausedUntil = this.now + step.ms;
        return;
      case 'late raise':
        this.lateBy = step.ms;
        return;
      case 'wait':
        return this.wait(step.ms);
      case 'flush':
        return this.loseData(HEARTBEAT);
      case 'restart':
        this.reconnect();
        return this.loseData(RECONNECTED);
      case 'fail over':
        this.redis = this.before;
        return this.reconnect();
    }
  }

  /** The highest level that any process writes. */
  get written(): number {
    const writers = this.processes.filter((process) => process.takesPart && this.runs(process));
    return Math.max(1, ...writers.map(({ written }) => written));
  }

  /** Notes whether a process would misread what others write at this moment. */
  private check(): void {
    const { written } = this;
    this.misread ||= this.processes.some((each) => each.takesPart && this.runs(each) && each.level < written);
  }

  private start(level: number): void {
    const process = {
      level,
      written: 1,
      takesPart: false,
      nextBeat: this.now,
      pausedUntil: 0,
    };
    this.processes.push(process);
    this.register(process);
  }

  private end(process: Process): void {
    this.processes = this.processes.filter((each) => each !== process);
    this.remove(process);
    if (this.master === process) this.master = null;
  }

  /** A new master registers before it does anything else. */
  private elect(process: Process): void {
    this.register(process);
    if (!this.processes.includes(process)) return;
    this.master = process;
    this.term++;
    this.rise = this.newRise();
  }

  private tick(): void {
    this.now += LOOK;
    this.before = this.redis;
    for (const [process, until] of this.redis.entries) if (until <= this.now) this.exclude(process);
    for (const process of this.processes)
      if (this.runs(process) && process.nextBeat <= this.now) this.register(process);
    for (const raise of this.late.filter(({ at }) => at <= this.now)) this.raise(raise);
    this.late = this.late.filter(({ at }) => at > this.now);
    this.check();
    if (this.master !== null && this.runs(this.master)) this.look(this.master);
    this.check();
  }

  /** put.lua; a refused process ends. */
  private register(process: Process): void {
    this.restore(process);
    if (process.level < this.redis.level && !this.defects.acceptsAll) return this.end(process);
    this.put({ entries: new Map(this.redis.entries).set(process, this.now + TTL) });
    process.nextBeat = this.now + HEARTBEAT;
    process.takesPart = true;
    process.written = Math.max(process.written, Math.min(this.redis.level, process.level));
    this.check();
  }

  /** MembershipWatch, with read.lua. */
  private look(master: Process): void {
    // It waits for the answer to its last command.
    if (this.late.some(({ by }) => by === master)) return;
    this.restore(master);
    master.written = Math.max(master.written, Math.min(this.redis.level, master.level));
    const entries = [...this.redis.entries.keys()].map((process) => {
      return { process, nodeId: process === master ? 'master' : '', formatLevel: process.level };
    });
    const formats = this.rise.look(this.now, entries, master.written, VERSIONS.slice(0, master.level));
    if (formats !== null) {
      const raise = { at: this.now + this.lateBy, term: this.term, level: formats.level, by: master };
      if (this.lateBy > 0) this.late.push(raise);
      else this.raise(raise);
      this.lateBy = 0;
    }
    for (const { process } of entries) if (process.level < master.written) this.exclude(process);
  }

  /** raise-formats.lua */
  private raise({ by, level, term }: (typeof this.late)[number]): void {
    if (term < this.redis.term || level <= this.redis.level) return;
    const least = Math.min(...[...this.redis.entries.keys()].map((process) => process.level));
    if (least < level && !this.defects.raisesUnseen) return;
    this.put({ level, term });
    by.written = Math.max(by.written, level);
  }

  private restore({ written }: Process): void {
    if (!this.defects.forgetsLevel) this.put({ level: Math.max(this.redis.level, written) });
  }

  private put(change: Partial<Stored>): void {
    this.redis = { ...this.redis, ...change };
  }

  /** Others get what it owned. */
  private exclude(process: Process): void {
    this.remove(process);
    process.takesPart = false;
  }

  private remove(process: Process): void {
    const entries = new Map(this.redis.entries);
    entries.delete(process);
    this.put({ entries });
  }

  /** The connections break, so those that run register again. */
  private reconnect(): void {
    for (const each of this.processes) each.nextBeat = Math.min(each.nextBeat, this.now + RECONNECTED);
    if (!this.defects.forgetsToRestart) this.rise.restart();
  }

  /**
   * Redis loses everything, and those that run have registered again within this time. Not covered: a process that understands less starts
   * in this time, or all that know the level are paused.
   */
  private loseData(ms: number): void {
    if (this.processes.some(({ written }) => written > this.written)) return;
    this.redis = EMPTY;
    // Nothing is left of what a paused process owned.
    for (const process of this.processes) if (!this.runs(process)) process.takesPart = false;
    this.wait(ms);
  }

  private wait(ms: number): void {
    for (const end = this.now + ms; this.now < end;) this.tick();
  }

  private runs(process: Process): boolean {
    return process.pausedUntil <= this.now;
  }

  private newRise(): FormatRise {
    return new FormatRise({ nodeId: 'master', validity: TTL, maxGap: 4 * LOOK });
  }
}

const ms = fc.integer({ min: 1, max: 240 }).map((half) => half * LOOK);
const which = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('start' as const), level: fc.constantFrom(1, 2) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('end' as const, 'elect' as const), which }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('pause' as const), which, ms }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('late raise' as const), ms }) },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('wait' as const), ms }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom('restart' as const, 'flush' as const, 'fail over' as const),
    }),
  },
);

/** Plays the steps in a cluster that has begun with these levels. */
function play(levels: readonly number[], steps: readonly Step[], defects: Defects = {}): World {
  const world = new World(defects);
  const begin = levels.map((level): Step => ({ what: 'start', level }));
  for (const each of [...begin, { what: 'elect', which: 0 } as const, ...steps]) world.play(each);
  return world;
}

const wait = (ms: number): Step => ({ what: 'wait', ms });

describe('the level of formats, in a model', () => {
  it('never rises above what a process understands that takes part', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(1, 2), { minLength: 1, maxLength: 4 }),
        fc.array(step, { maxLength: 40 }),
        (levels, steps) => {
          expect(play(levels, steps).misread).toBe(false);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('rises after the last process of the earlier version has ended, and lets none of them join again', () => {
    const world = play([2, 1, 2], [wait(200_000)]);
    expect(world.written).toBe(1);
    world.play({ what: 'end', which: 1 });
    world.play(wait(40_000));
    expect(world.written).toBe(1);
    world.play(wait(20_000));
    expect(world.written).toBe(2);
    world.play({ what: 'start', level: 1 });
    expect(world.processes.map(({ level }) => level)).toEqual([2, 2]);
  });

  it.each<[string, Defects, Step[]]>([
    [
      'raises the level for what it has looked at before',
      { raisesUnseen: true },
      [{ what: 'late raise', ms: 5_000 }, wait(46_000), { what: 'start', level: 1 }, wait(10_000)],
    ],
    [
      'takes no account of a new connection',
      { forgetsToRestart: true },
      [wait(45_000), { what: 'start', level: 1 }, { what: 'fail over' }, wait(2_000)],
    ],
    ['accepts all', { acceptsAll: true }, [wait(60_000), { what: 'start', level: 1 }, wait(1_000)]],
    [
      'forgets the level with Redis',
      { forgetsLevel: true },
      [
        wait(60_000),
        { what: 'flush' },
        { what: 'start', level: 2 },
        { what: 'elect', which: 2 },
        { what: 'start', level: 1 },
        wait(1_000),
      ],
    ],
  ])('is wrong if the registry %s', (_name, defects, steps) => {
    expect(play([2, 2], steps).misread).toBe(false);
    expect(play([2, 2], steps, defects).misread).toBe(true);
  });
});
