import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Elector } from '../elector/elector.js';
import { FakeElection } from './fake-election.js';
import { VirtualClock } from './virtual-clock.js';

describe('FakeElection', () => {
  let clock: VirtualClock;
  let election: FakeElection;
  let elector: Elector;
  let events: string[];

  beforeEach(() => {
    clock = new VirtualClock(10_000);
    election = new FakeElection({ clock });
    elector = new Elector({ backend: election, candidate: { id: 'me' }, clock });
    events = [];
    elector.on('acquired', ({ term, reason }) => events.push(`acquired ${term} ${reason}`));
    elector.on('lost', ({ term, reason }) => events.push(`lost ${term} ${reason}`));
    elector.on('suspended', () => events.push('suspended'));
    elector.on('resumed', () => events.push('resumed'));
    elector.on('error', ({ message }) => events.push(message));
    elector.on('recovered', () => events.push('recovered'));
    elector.start();
  });

  afterEach(async () => {
    await elector.stop();
    await election.close();
  });

  it('decides who leads, in terms that rise', async () => {
    await election.lead();
    expect([elector.leaderId, elector.term]).toEqual(['me', 1]);
    await election.follow('bob');
    expect([elector.leaderId, elector.term]).toEqual(['bob', 2]);
    await election.follow('bob');
    await election.follow('ann');
    await election.follow(null);
    expect([elector.leaderId, elector.term]).toEqual([null, 3]);
    await election.lead({ term: 9, reason: 'absent' });
    await election.follow(null, { reason: 'unconfirmed' });
    expect(events).toEqual([
      'acquired 1 vacant',
      'lost 1 refused',
      'acquired 9 absent',
      'lost 9 unconfirmed',
    ]);
  });

  it('suspends and confirms', async () => {
    await election.lead();
    await election.suspend();
    clock.advance(1);
    await election.lead();
    expect(events).toEqual(['acquired 1 vacant', 'suspended', 'resumed']);
  });

  it('grants for a time', async () => {
    await election.lead({ validFor: 100, leaseFor: 150 });
    clock.advance(100);
    expect(events.at(-1)).toBe('suspended');
    clock.advance(50);
    expect(events.at(-1)).toBe('lost 1 expired');
    await election.lead();
    expect(events.at(-1)).toBe('acquired 2 vacant');
  });

  it('fails and recovers, without an end of leadership', async () => {
    await election.lead();
    await election.fail();
    await election.lead();
    expect(events).toEqual(['acquired 1 vacant', 'the store failed', 'recovered']);
  });

  it('breaks the campaign', async () => {
    await election.lead();
    await election.break();
    expect(events).toEqual(['acquired 1 vacant', 'lost 1 refused', 'the campaign broke']);
    expect(election.candidate).toBeUndefined();
    clock.advance(10_000);
    await setImmediate();
    expect(election.candidate).toEqual({ id: 'me' });
  });

  it('answers nothing while it is blocked', async () => {
    await election.lead();
    election.block();
    const heard = vi.fn();
    void election.follow().then(heard);
    const resigned = vi.fn();
    const resigning = [elector.resign().then(resigned), elector.resign().then(resigned)];
    await setImmediate();
    expect(heard).not.toHaveBeenCalled();
    expect(resigned).not.toHaveBeenCalled();
    expect(events.at(-1)).toBe('lost 1 resigned');
    election.unblock();
    await Promise.all(resigning);
    await setImmediate();
    expect(heard).toHaveBeenCalled();
  });

  it('keeps reports from before the campaign', async () => {
    const early = new FakeElection();
    const leading = early.lead();
    const other = new Elector({ backend: early, candidate: { id: 'me' } });
    other.start();
    await leading;
    expect(other.lease?.isValid()).toBe(true);
    await other.stop();
  });

  it('records the calls that it receives', async () => {
    await election.lead();
    election.onResign = () => events.push('asked');
    await elector.resign();
    expect(events.slice(1)).toEqual(['lost 1 resigned', 'asked']);
    await election.close();
    expect(election.calls).toEqual(['campaign', 'resign', 'close']);
  });
});
