import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ElectionState } from '../contract/election-backend.js';
import { LeadershipLostError } from '../contract/errors.js';
import { FakeElection } from '../testing/fake-election.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { Elector } from './elector.js';

const leader = (clock: VirtualClock, term: number, validFor = 900, leaseFor = 1_000) => ({
  role: 'leader' as const,
  term,
  validUntil: clock.now() + validFor,
  leaseUntil: clock.now() + leaseFor,
});

describe('Elector', () => {
  let clock: VirtualClock;
  let backend: FakeElection;
  let elector: Elector;
  let events: string[];

  const report = async (...states: ElectionState[]) => {
    for (const state of states) void backend.report(state);
    await setImmediate();
  };

  beforeEach(() => {
    clock = new VirtualClock(10_000);
    backend = new FakeElection({ clock });
    elector = new Elector({ backend, candidate: { id: 'me' }, clock });
    events = [];
    elector.on('acquired', ({ term, reason }) => events.push(`acquired ${term} ${reason}`));
    elector.on('lost', ({ term, reason }) => events.push(`lost ${term} ${reason}`));
    elector.on('suspended', ({ term }) => events.push(`suspended ${term}`));
    elector.on('resumed', ({ term }) => events.push(`resumed ${term}`));
    elector.on('follower', ({ leaderId }) => events.push(`follower ${leaderId}`));
    elector.on('recovered', () => events.push('recovered'));
    elector.on('error', (error) => events.push(`error ${error.message}`));
    elector.start();
  });

  afterEach(() => elector.stop());

  it('refuses to be started twice, and starts again when it has stopped', async () => {
    expect(() => elector.start()).toThrow('the elector was started already');
    await elector.stop();
    elector.start();
    await report(leader(clock, 7));
    expect(events).toEqual(['acquired 7 vacant']);
  });

  it('leads from the first grant to the deadline, through suspension', async () => {
    await report(leader(clock, 7));
    const lease = elector.lease!;
    expect([lease.term, lease.isValid(), elector.leaderId]).toEqual([7, true, 'me']);
    clock.advance(900);
    expect([lease.isValid(), lease.signal.aborted]).toEqual([false, false]);
    expect(events).toEqual(['acquired 7 vacant', 'suspended 7']);
    clock.advance(100);
    expect([lease.signal.aborted, elector.lease]).toEqual([true, null]);
    expect(events.at(-1)).toBe('lost 7 expired');
  });

  it('resumes the same term when it is confirmed in time', async () => {
    await report(leader(clock, 7));
    const lease = elector.lease!;
    clock.advance(950);
    const ready = lease.ready();
    await report(leader(clock, 7));
    await ready;
    expect(elector.lease).toBe(lease);
    expect(events).toEqual(['acquired 7 vacant', 'suspended 7', 'resumed 7']);
  });

  it('counts a late reply from its own deadlines', async () => {
    const early = leader(clock, 7);
    await report(leader(clock, 7, 1_900, 2_000), early);
    clock.advance(1_000);
    expect(elector.lease!.isValid()).toBe(true);
  });

  it('is invalid at once after a freeze, before any timer has run', async () => {
    await report(leader(clock, 7));
    const lease = elector.lease!;
    clock.freeze(5_000);
    expect([lease.isValid(), elector.lease]).toEqual([false, null]);
  });

  it('reports the loss before it processes a confirmation that arrived during the freeze', async () => {
    await report(leader(clock, 7));
    const confirmation = leader(clock, 7, 60_000, 60_000);
    clock.freeze(1_000);
    await report(confirmation);
    expect(events).toEqual(['acquired 7 vacant', 'lost 7 expired']);
    expect(backend.calls).toEqual(['campaign', 'campaign']);
    await report(confirmation);
    expect(elector.lease).toBeNull();
    await report(leader(clock, 8));
    expect(events.at(-1)).toBe('acquired 8 vacant');
  });

  it('only suspends when the wall clock jumps ahead', async () => {
    await report(leader(clock, 7));
    const lease = elector.lease!;
    clock.stepWall(3_600_000);
    expect(lease.isValid()).toBe(false);
    clock.advance(10);
    await report(leader(clock, 7));
    expect(lease.isValid()).toBe(true);
    expect(events).toEqual(['acquired 7 vacant', 'suspended 7', 'resumed 7']);
  });

  it('notices a jump of the wall clock without any news', async () => {
    await report(leader(clock, 7, 29_000, 30_000));
    clock.stepWall(3_600_000);
    clock.advance(1_000);
    expect(events.at(-1)).toBe('suspended 7');
  });

  it('is not prolonged by a wall clock that is set back', async () => {
    await report(leader(clock, 7));
    clock.stepWall(-3_600_000);
    clock.advance(900);
    expect(elector.lease!.isValid()).toBe(false);
  });

  it('loses leadership when the store names another leader', async () => {
    await report(leader(clock, 7), { role: 'follower', leaderId: 'other', term: 9 });
    expect(events).toEqual(['acquired 7 vacant', 'lost 7 refused', 'follower other']);
    expect([elector.leaderId, elector.term]).toEqual(['other', 9]);
  });

  it('obeys a backend that suspends', async () => {
    await report(leader(clock, 7), { role: 'suspended', term: 7 });
    expect(elector.lease!.isValid()).toBe(false);
    expect(elector.lease!.signal.aborted).toBe(false);
    clock.advance(1);
    await report(leader(clock, 7));
    expect(events).toEqual(['acquired 7 vacant', 'suspended 7', 'resumed 7']);
  });

  it('ends one term before it begins the next', async () => {
    await report(leader(clock, 7), leader(clock, 8));
    expect(events).toEqual(['acquired 7 vacant', 'lost 7 superseded', 'acquired 8 vacant']);
  });

  it('never leads a grant that arrives after its own end', async () => {
    await report(leader(clock, 7, -10, -5));
    expect(events).toEqual([]);
  });

  it('invalidates, aborts, reports, and only then informs the store', async () => {
    await report(leader(clock, 7));
    const lease = elector.lease!;
    const order: string[] = [];
    lease.signal.addEventListener('abort', () => order.push(`abort valid=${lease.isValid()}`));
    elector.on('lost', () => order.push('lost'));
    backend.onResign = () => order.push('release');
    await elector.resign();
    expect(order).toEqual(['abort valid=false', 'lost', 'release']);
    expect(events.at(-1)).toBe('lost 7 resigned');
    await report(leader(clock, 7));
    expect(elector.lease).toBeNull();
  });

  it('rejects those who wait for a lease that is lost', async () => {
    await report(leader(clock, 7));
    const lease = elector.lease!;
    clock.advance(950);
    const waiting = expect(lease.ready()).rejects.toThrow(LeadershipLostError);
    clock.advance(50);
    await waiting;
    await expect(lease.ready()).rejects.toMatchObject({ term: 7, reason: 'expired' });
  });

  it('keeps leading through errors of the store and says when they are over', async () => {
    await report(leader(clock, 7), { role: 'error', error: new Error('away') });
    expect(elector.lease!.isValid()).toBe(true);
    await report(leader(clock, 7));
    expect(events).toEqual(['acquired 7 vacant', 'error away', 'recovered']);
  });

  it('refuses a term that does not rise, and campaigns again after a pause', async () => {
    await report(leader(clock, 7), { role: 'follower', leaderId: null, term: 7 }, leader(clock, 6));
    expect(events.at(-1)).toBe("error backend 'fake' granted term 6 after term 7");
    clock.advance(10_000);
    await report(leader(clock, 8));
    expect(events.at(-1)).toBe('acquired 8 vacant');
  });

  it('survives a campaign that breaks', async () => {
    await report(leader(clock, 7));
    await backend.break(new Error('bug'));
    expect(events.slice(1)).toEqual(['lost 7 refused', 'error bug']);
    clock.advance(10_000);
    await report(leader(clock, 8));
    expect(events.at(-1)).toBe('acquired 8 vacant');
  });

  it('steps down when the backend is closed', async () => {
    await report(leader(clock, 7));
    await backend.close();
    await setImmediate();
    expect(events.at(-1)).toBe('lost 7 refused');
  });

  it('delivers events in one order to all, also when a listener steps down at once', async () => {
    const second: string[] = [];
    elector.prependListener('acquired', () => void elector.resign());
    elector.on('acquired', () => second.push('acquired'));
    elector.on('lost', () => second.push('lost'));
    await report(leader(clock, 7));
    expect(second).toEqual(['acquired', 'lost']);
  });

  it('reports a listener that throws or rejects, and continues', async () => {
    elector.prependListener('acquired', () => {
      throw new Error('sync');
    });
    elector.prependListener('acquired', (() => Promise.reject(new Error('async'))) as () => void);
    await report(leader(clock, 7));
    expect(elector.lease!.isValid()).toBe(true);
    expect(events).toHaveLength(3);
    expect(events.join()).toMatch(/sync/);
    expect(events.join()).toMatch(/async/);
  });

  it('stops without a timer left, and can start again', async () => {
    await report(leader(clock, 7));
    await elector.stop();
    expect(events.at(-1)).toBe('lost 7 stopped');
    expect(clock.pending).toBe(0);
    elector.start();
    await report(leader(clock, 8));
    expect(events.at(-1)).toBe('acquired 8 vacant');
  });
});
