import type { HeldMove } from '@detector-cluster/placement';
import type { ReportedStream } from '@detector-cluster/placement/internal';
import { beforeEach, describe, expect, it } from 'vitest';
import { SimulatedWorld, subscription } from '../../../placement/src/reconcile/simulated-world.fixture.js';
import { ReconcileLog, type KnownEnds } from './reconcile-log.js';

const [A, B] = ['ws://a', 'ws://b'] as const;
const stuck = (why: string) => `warn: the drain of worker ${A} cannot proceed: ${why}`;
const iso = (wall: number) => new Date(wall).toISOString();
const RUNNING: ReportedStream = { online: true, modelId: 1, fingerprint: null };

/** How often the workers of a hundred held moves are read that leave this many draining workers. */
function readsOfHeldMoves(draining: number): number {
  const world = new SimulatedWorld();
  for (let i = 0; i < draining; i++) world.addWorker(`ws://w${i}`).drainSince = world.wallNow;
  world.want(...Array.from({ length: 100 }, (_, i) => subscription(`d;c${i}`)));
  const { plan, ...result } = world.pass();
  const workers = world.input.workers.map((each) => ({ ...each, reported: new Map([['d;c', RUNNING]]) }));
  let reads = 0;
  const held = Array.from({ length: 100 }, (_, i): HeldMove => ({
    unitId: `c${i}`,
    get from() {
      reads++;
      return `ws://w${i % draining}`;
    },
    to: null,
    reason: 'drain',
    heldBy: 'in-flight',
  }));
  const silent = { log: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
  const ends = { quarantineOf: () => 0, freeze: null };
  new ReconcileLog(silent).look({ ...world.input, workers }, { ...result, plan: { ...plan, held } }, ends);
  return reads;
}

describe('ReconcileLog', () => {
  let world: SimulatedWorld;
  let lines: string[];
  let ends: { quarantines: Record<string, number>; freeze: number | null };
  let log: ReconcileLog;

  beforeEach(() => {
    world = new SimulatedWorld();
    lines = [];
    ends = { quarantines: {}, freeze: null };
    const line = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
    log = new ReconcileLog({
      log: line('log'),
      warn: line('warn'),
      error: line('error'),
      debug: line('debug'),
    });
  });

  const worker = (url: string) => world.workers.get(url)!;

  function start(urls: readonly string[], ...ids: string[]): void {
    for (const url of urls) world.addWorker(url);
    world.want(...ids.map((id) => subscription(id)));
  }

  /** Runs the world, and shows each pass to the log. */
  function run(ms: number, beforeReports: () => void = () => undefined): void {
    const known: KnownEnds = { quarantineOf: (url) => ends.quarantines[url] ?? 0, freeze: ends.freeze };
    for (const end = world.now + ms; world.now < end;) {
      world.now += 500;
      beforeReports();
      for (const each of world.workers.values())
        if (each.state === 'Ready' || each.state === 'Quarantined') world.report(each);
      const { input } = world;
      log.look(input, world.pass(), known);
    }
  }

  it('looks at each held move once, however many workers drain', () => {
    expect(readsOfHeldMoves(50)).toBe(readsOfHeldMoves(1));
  });

  it('is silent while workers obey', () => {
    start([A, B], 'd1;c1', 'd2;c2', 'd3;c3');
    run(10_000);
    worker(A).drainSince = world.wallNow;
    run(20_000);
    expect(worker(A).streams.size).toBe(0);
    world.want();
    run(10_000);
    expect(worker(B).streams.size).toBe(0);
    expect(lines).toEqual([]);
  });

  it('says which cameras a worker did not take, and until when it gets none of them', () => {
    start([A], 'd1;c1', 'd2;c2');
    worker(A).refuses.add('d1;c1').add('d2;c2');
    run(12_000);
    const until = [...world.input.penalties.values()].map((penalty) => iso(penalty.until));
    expect(until).toHaveLength(2);
    expect(lines).toEqual([
      `warn: worker ${A} did not take these cameras in time and gets none of them again before the time given: c1 (until ${until[0]!}), c2 (until ${until[1]!})`,
    ]);
    run(30_000);
    expect(lines).toHaveLength(1);
  });

  it('names five cameras of a worker that takes none, and counts the others', () => {
    start([A], ...Array.from({ length: 12 }, (_, n) => `d;c${n}`));
    for (let n = 0; n < 12; n++) worker(A).refuses.add(`d;c${n}`);
    run(12_000);
    expect(lines).toEqual([expect.stringMatching(/: (c\d+ \(until [^)]+\)(, )?){5} and 7 more$/)]);
  });

  it('says once that a worker keeps a camera but does not take all its subscriptions', () => {
    start([A, B], 'd1;c1', 'd2;c1');
    for (const each of world.workers.values()) each.refuses.add('d2;c1');
    run(60_000);
    expect(lines).toEqual([
      expect.stringMatching(/^warn: worker ws:\/\/. did not take all subscriptions of these cameras .*: c1$/),
    ]);
  });

  it('says once that a worker contradicts an unsubscribe, and again after it had stopped', () => {
    start([A], 'd1;c1', 'd2;c2');
    run(10_000);
    const stream = worker(A).streams.get('d1;c1')!;
    const keeps = () => world.later(worker(A), (next) => next.set('d1;c1', stream));
    const line = `warn: worker ${A} still reports subscriptions that it was ordered to stop; the command is repeated every 4 s until it does not: d1;c1`;
    world.want(subscription('d2;c2'));
    run(3_000, keeps);
    expect(lines).toEqual([]);
    run(30_000, keeps);
    expect(lines).toEqual([line]);
    run(5_000);
    expect([...worker(A).streams.keys()]).toEqual(['d2;c2']);
    run(10_000, keeps);
    expect(lines).toEqual([line, line]);
  });

  describe('of a drain', () => {
    beforeEach(() => {
      start([A, B], 'd1;c1', 'd2;c2');
      worker(B).capacity = 0;
      run(10_000);
      expect(worker(A).streams.size).toBe(2);
      worker(A).drainSince = world.wallNow;
      noRoom = `no other worker that may take these cameras has room: c1, c2. They stop at ${iso(world.wallNow + 300_000)}.`;
    });
    let noRoom: string;

    it('says once that no other worker has room, and that it proceeds', () => {
      run(10_000);
      const line = stuck(noRoom);
      expect(lines).toEqual([line]);
      expect([...log.stuckDrains]).toEqual([[A, expect.objectContaining({ text: noRoom })]]);
      worker(B).capacity = 100;
      run(20_000);
      expect(lines).toEqual([line, `log: the drain of worker ${A} proceeds`]);
      expect(log.stuckDrains.size).toBe(0);
      expect(worker(A).streams.size).toBe(0);
    });

    it('stops the cameras when it says so', () => {
      run(299_000);
      expect(worker(A).streams.size).toBe(2);
      run(3_000);
      expect(worker(A).streams.size).toBe(0);
      expect(lines).toEqual([stuck(noRoom)]);
    });

    it('says when a quarantine or a penalty of the other worker ends, whichever is sooner', () => {
      worker(B).capacity = 100;
      worker(B).state = 'Quarantined';
      ends.quarantines[B] = world.wallNow + 300_000;
      run(2_000);
      expect(lines).toEqual([
        stuck(`${noRoom} Another worker may take them again at ${iso(ends.quarantines[B])}.`),
      ]);
      worker(B).state = 'Ready';
      for (const id of ['d1;c1', 'd2;c2']) worker(B).refuses.add(id);
      // Both moves fail, so the worker has a penalty for both cameras.
      run(20_000);
      const soonest = Math.min(...[...world.input.penalties.values()].map(({ until }) => until));
      expect(soonest).toBeLessThan(ends.quarantines[B]);
      expect(lines.slice(1)).toEqual([
        `log: the drain of worker ${A} proceeds`,
        stuck(`${noRoom} Another worker may take them again at ${iso(soonest)}.`),
      ]);
    });

    it('says until when the worker itself is quarantined', () => {
      worker(B).capacity = 100;
      worker(A).state = 'Quarantined';
      ends.quarantines[A] = world.wallNow + 60_000;
      run(5_000);
      expect(lines).toEqual([stuck(`the worker is quarantined until ${iso(ends.quarantines[A])}`)]);
    });

    it('says until when nothing is moved', () => {
      worker(B).capacity = 100;
      world.frozen = true;
      ends.freeze = world.wallNow + 60_000;
      run(5_000);
      expect(lines).toEqual([
        stuck(`no camera is moved until ${iso(ends.freeze)}, or until most workers are back`),
      ]);
    });

    it('says whose credentials are not known', () => {
      worker(B).capacity = 100;
      world.desired = new Map([...world.desired].map(([id, entry]) => [id, { ...entry, redacted: true }]));
      run(5_000);
      expect(lines).toEqual([
        stuck('until the database can be read, this process does not know the credentials of c1, c2'),
      ]);
    });

    it('is silent while a new master has not heard its workers', () => {
      world.settling = true;
      run(5_000);
      expect(lines).toEqual([]);
    });
  });
});
