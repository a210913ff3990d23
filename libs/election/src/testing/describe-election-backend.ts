import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../util/clock.js';
import { checkHistory, type Grant } from './check-history.js';
import { type ElectionHarness, globalTestRunner, type TestRunner } from './election-harness.js';
import { eventually } from './eventually.js';
import { Participant } from './participant.js';
import { watchStandstill } from './watch-standstill.js';

/** Candidates that start at the same moment. */
const CROWD = 50;

/** Machines that run tests are slow: what must happen at once may take this long. Milliseconds. */
const AT_ONCE = 3_000;

const HOUR = 3_600_000;

/** A crowd shares one event loop: what takes each a moment takes all of them this long at most. Milliseconds. */
const CROWD_TIMEOUT = 30_000;

/** A process that stands still for longer than this cannot stop its work in time, and neither can the test. Milliseconds. */
const SHORT_STANDSTILL = 100;

/** A candidate that resigned lets the others go first for a second. Milliseconds. */
const LONG_STANDSTILL = 500;

/** Work that only stops on request, and takes all the time that it is given. `validUntil` is when it has ended. */
interface Assignment extends Grant {
  validUntil: number;
  /** When it was asked to stop. */
  askedAt: number;
}

/** Gives a participant such work in each of its terms. */
function assign({ id: owner, elector }: Participant, assignments: Assignment[]): void {
  elector.on('acquired', ({ term }) => {
    const lease = elector.lease!;
    const assignment = { owner, term, sentAt: performance.now(), validUntil: Infinity, askedAt: Infinity };
    assignments.push(assignment);
    const work = async () => {
      await once(lease.signal, 'abort');
      assignment.askedAt = performance.now();
      assignment.validUntil = lease.exclusiveUntil;
      await sleep(Math.max(0, Math.ceil(assignment.validUntil - assignment.askedAt)));
    };
    lease.waitUntil(work());
  });
}

function heldResources(): number {
  return process.getActiveResourcesInfo().filter((kind) => /TCPSocketWrap|Timeout/.test(kind)).length;
}

/**
 * Declares the tests that every `ElectionBackend` must pass. After each of them the history of all grants is
 * checked: no two valid leases at the same instant, and terms that rise.
 *
 * @param name Of the backend, for the report.
 * @param createHarness Called for each test.
 * @param options.restartsStore Whether its harnesses can restart their store. Default false: that is not tested.
 * @param options.leasesExpire Whether a lease that is not renewed ends, default true. If false, the suite does
 *   not test what happens to a leader that is cut off.
 * @param runner Default: the global functions of Jest, Vitest or Mocha.
 */
export function describeElectionBackend(
  name: string,
  createHarness: () => Promise<ElectionHarness>,
  options: { readonly restartsStore?: boolean; readonly leasesExpire?: boolean } = {},
  runner: TestRunner = globalTestRunner(),
): void {
  const timeout = 120_000;
  const { describe, beforeEach, afterEach } = runner;
  const it = (what: string, body: () => Promise<void>) => runner.it(what, body, timeout);

  describe(`${name} as an election backend`, () => {
    let harness: ElectionHarness;
    let participants: Participant[];

    beforeEach(async () => {
      participants = [];
      harness = await createHarness();
    }, timeout);

    afterEach(async () => {
      await Promise.all(participants.map(({ elector }) => elector.stop()));
      await Promise.all(participants.map(({ backend }) => backend.close()));
      await harness.dispose();
      assert.deepEqual(checkHistory(participants.flatMap(({ grants }) => grants)), []);
      assert.deepEqual(
        participants.flatMap(({ problems }) => problems),
        [],
      );
    }, timeout);

    const enter = async (count: number, options?: { readonly renewDeadline: number }) => {
      const entered = await Promise.all(
        Array.from({ length: count }, async () => new Participant(await harness.createBackend(), options)),
      );
      participants.push(...entered);
      return entered;
    };
    const join = async (count: number) => {
      const joining = await enter(count);
      for (const { elector } of joining) elector.start();
      return joining;
    };
    const leader = (within: number, among: () => readonly Participant[] = () => participants) =>
      eventually('a leader', within, () => among().find(({ leads }) => leads));
    /** Waits until there is one leader and all participants know it and its term. */
    const agreed = (within: number) =>
      eventually('every participant knows the leader', within, () => {
        const [present, ...more] = participants.filter(({ leads }) => leads);
        const knows = ({ elector }: Participant) =>
          elector.leaderId === present?.id && elector.term === present.elector.term;
        return more.length === 0 && participants.every(knows) && present;
      });
    /** A process that stands still for longer may lose its lease, or miss its turn. */
    const watchTurns = () => watchStandstill(Math.min(harness.failoverWithin / 4, LONG_STANDSTILL));
    const changes = () => participants.flatMap(({ events }) => events);
    // A store may refuse to elect for a while after it has started.
    const firstLeader = () => leader(AT_ONCE + (harness.recoveryWithin ?? harness.failoverWithin));

    it(`elects one of ${CROWD} that start at once, and tells the others`, async () => {
      const standstill = watchStandstill();
      await join(CROWD);
      await leader(CROWD_TIMEOUT);
      await agreed(CROWD_TIMEOUT);
      // A leader whose process stalls may lose its lease. Nothing else may take it away.
      if (!standstill.end()) assert.equal(changes().length, 1);
    });

    it('keeps its leader for as long as the leader renews', async () => {
      await join(2);
      const first = await firstLeader();
      const before = changes();
      const standstill = watchTurns();
      await sleep(harness.failoverWithin * 2);
      const last = await leader(AT_ONCE + harness.failoverWithin);
      if (standstill.end()) return;
      assert.equal(last, first);
      assert.deepEqual(changes(), before);
    });

    it('tells a candidate that joins later who leads', async () => {
      await join(1);
      const first = await firstLeader();
      const standstill = watchTurns();
      const [late] = await join(1);
      const present = await agreed(AT_ONCE);
      if (standstill.end()) return;
      assert.equal(present, first);
      assert.deepEqual(late!.events, []);
    });

    if (options.leasesExpire ?? true)
      it('replaces a leader that was cut off, which steps down by itself', async () => {
        await join(3);
        const first = await firstLeader();
        const term = first.elector.term;
        await harness.cut!(first.backend);
        const next = await leader(AT_ONCE + harness.failoverWithin, () =>
          participants.filter((participant) => participant !== first),
        );
        assert.ok(next.elector.term > term);
        await eventually('the old leader says so', AT_ONCE, () => first.events.length > 1);
        assert.equal(first.events[0], `acquired ${term}`);
        // A leader that needs more than the store, such as a majority, may miss that first.
        assert.match(first.events[1]!, /^lost (expired|unconfirmed)$/);
      });

    if (options.leasesExpire ?? true)
      it('never has two leaders while the wall clocks of its candidates jump', async () => {
        const clocks = new Map<Participant, JumpingClock>();
        for (let n = 0; n < 3; n++) {
          const clock = new JumpingClock();
          const participant = new Participant(await harness.createBackend(clock), { clock });
          clocks.set(participant, clock);
          participants.push(participant);
          participant.elector.start();
        }
        await firstLeader();
        for (const by of [HOUR, -HOUR, harness.failoverWithin, -2 * HOUR, -HOUR, 5 * HOUR])
          for (const clock of clocks.values()) {
            clock.jump(by);
            await sleep(50);
          }
        const last = await leader(AT_ONCE + 2 * harness.failoverWithin);
        // A leader that measured its lease by this clock would lead for an hour beside its successor.
        clocks.get(last)!.jump(-HOUR);
        await harness.cut!(last.backend);
        await leader(AT_ONCE + harness.failoverWithin, () => participants.filter((each) => each !== last));
        await eventually('the old leader has stepped down', AT_ONCE, () => !last.leads);
      });

    if (options.leasesExpire ?? true)
      it('asks work that cannot check validity to stop, and lets it end before another leads', async () => {
        const { failoverWithin, renewDeadline = failoverWithin / 2 } = harness;
        const assignments: Assignment[] = [];
        for (const participant of await enter(3, { renewDeadline })) {
          assign(participant, assignments);
          participant.elector.start();
        }
        const first = await firstLeader();
        const standstill = watchStandstill(SHORT_STANDSTILL);
        await harness.cut!(first.backend);
        await leader(AT_ONCE + failoverWithin, () => participants.filter((each) => each !== first));
        const stoodStill = standstill.end();
        const { askedAt, validUntil } = assignments.findLast(({ owner }) => owner === first.id)!;
        if (!stoodStill) {
          assert.equal(first.events.at(-1), 'lost unconfirmed');
          assert.ok(
            askedAt < validUntil,
            `asked to stop ${askedAt - validUntil} ms after it had to have ended`,
          );
        }
        assert.deepEqual(checkHistory(assignments), []);
      });

    it('hands over at once when the leader resigns', async () => {
      await join(3);
      const first = await firstLeader();
      const { lease } = first.elector;
      const standstill = watchTurns();
      await first.elector.resign();
      assert.equal(lease!.signal.aborted, true);
      const next = await leader(AT_ONCE);
      // The others go first, but not for longer than it takes a stalled process to read of the resignation.
      if (!standstill.end()) assert.notEqual(next, first);
      assert.ok(next.elector.term > lease!.term);
      await agreed(AT_ONCE);
    });

    it('keeps the record for as long as work under the lease runs, then hands over', async () => {
      await join(2);
      const first = await firstLeader();
      const [watched, standstill] = [watchTurns(), watchTurns()];
      const before = changes().length;
      let finish!: () => void;
      first.elector.lease!.waitUntil(new Promise<void>((resolve) => (finish = resolve)));
      const resigned = first.elector.resign();
      try {
        await sleep(harness.failoverWithin + 250);
        if (!watched.end()) assert.equal(changes().length, before + 1);
      } finally {
        finish();
      }
      await resigned;
      const next = await leader(AT_ONCE);
      if (!standstill.end()) assert.notEqual(next, first);
    });

    it('hands over at once when the leader stops', async () => {
      await join(3);
      const first = await firstLeader();
      await first.elector.stop();
      assert.notEqual(await leader(AT_ONCE), first);
      assert.equal(first.events.at(-1), 'lost stopped');
    });

    it('elects again the only candidate after it has resigned', async () => {
      const [only] = await join(1);
      await firstLeader();
      const { term } = only!.elector;
      await only!.elector.resign();
      await leader(AT_ONCE + harness.failoverWithin);
      assert.ok(only!.elector.term > term);
    });

    it('raises the term with every change', async () => {
      await join(3);
      await firstLeader();
      const terms: number[] = [];
      for (let change = 0; change < 5; change++) {
        const current = await leader(AT_ONCE);
        terms.push(current.elector.term);
        await current.elector.resign();
      }
      assert.deepEqual(
        terms,
        [...new Set(terms)].sort((a, b) => a - b),
      );
    });

    it('refuses a second campaign beside the first', async () => {
      const [only] = await join(1);
      await firstLeader();
      const second = only!.backend.campaign({ id: 'second' }, new AbortController().signal);
      await assert.rejects(async () => {
        for await (const state of second) assert.fail(`reported ${state.role}`);
      });
      assert.equal(await leader(AT_ONCE), only);
    });

    it('closes cleanly, whatever it is doing', async () => {
      const before = heldResources();
      await join(3);
      const first = await firstLeader();
      await first.backend.close();
      await eventually('the closed one has stepped down', AT_ONCE, () => first.events.length === 2);
      await Promise.all(participants.map(({ backend }) => backend.close()));
      await Promise.all(participants.map(({ backend }) => backend.close()));
      await Promise.all(participants.map(({ elector }) => elector.stop()));
      await eventually('no socket and no timer is left', AT_ONCE, () => heldResources() <= before);
    });

    if (options.restartsStore)
      it('leads again after the store has restarted, above the last term if the leader changed', async () => {
        await join(3);
        const first = await firstLeader();
        const { term } = first.elector;
        await harness.restartStore!();
        const restarted = performance.now();
        const next = await eventually(
          'a leader that was confirmed after the restart',
          AT_ONCE + (harness.recoveryWithin ?? harness.failoverWithin),
          () => participants.find(({ leads, grants }) => leads && grants.at(-1)!.sentAt > restarted),
        );
        if (next !== first || next.events.length > 1) assert.ok(next.elector.term > term);
        await agreed(AT_ONCE + harness.failoverWithin);
      });
  });
}

/** The system's clock with a wall clock that a test can set while the process runs. Monotonic time is not affected. */
class JumpingClock implements Clock {
  private offset = 0;
  readonly now = systemClock.now;
  readonly setTimeout = systemClock.setTimeout;
  readonly clearTimeout = systemClock.clearTimeout;

  wallNow(): number {
    return systemClock.wallNow() + this.offset;
  }

  /** Sets the wall clock forward, or back. Milliseconds. */
  jump(by: number): void {
    this.offset += by;
  }
}
