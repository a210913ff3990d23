import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeElection } from '../testing/fake-election.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { Elector } from './elector.js';
import type { ElectorOptions } from './elector-options.js';

describe('Elector with a renew deadline', () => {
  let clock: VirtualClock;
  let backend: FakeElection;
  let elector: Elector;
  let events: string[];

  const grant = async (sentAt = clock.now(), term = 7) => {
    void backend.report({
      role: 'leader',
      term,
      sentAt,
      validUntil: sentAt + 14_700,
      leaseUntil: sentAt + 15_000,
    });
    await setImmediate();
  };
  const create = (options: Partial<ElectorOptions> = {}) =>
    new Elector({ backend, candidate: { id: 'me' }, clock, renewDeadline: 10_000, ...options });

  beforeEach(async () => {
    clock = new VirtualClock(50_000);
    backend = new FakeElection({ clock });
    elector = create();
    events = [];
    backend.onResign = () => events.push('released');
    elector.on('acquired', ({ term }) => events.push(`acquired ${term}`));
    elector.on('lost', ({ term, reason }) => events.push(`lost ${term} ${reason}`));
    elector.on('suspended', ({ term }) => events.push(`suspended ${term}`));
    elector.start();
    await grant();
  });

  afterEach(() => elector.stop());

  it('gives up when it was not confirmed for that long, while no other candidate can lead', async () => {
    const lease = elector.lease!;
    clock.advance(9_999);
    expect([lease.isValid(), lease.signal.aborted]).toEqual([true, false]);
    clock.advance(1);
    expect([lease.isValid(), lease.signal.aborted, elector.lease]).toEqual([false, true, null]);
    await setImmediate();
    expect(events).toEqual(['acquired 7', 'lost 7 unconfirmed', 'released']);
    expect(lease.exclusiveUntil - clock.now()).toBe(4_700);
  });

  it('counts from the sending of the last confirmation, not from its arrival', async () => {
    const sentAt = clock.now();
    const { signal } = elector.lease!;
    clock.advance(4_000);
    await grant(sentAt + 1_000);
    clock.advance(6_999);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    expect(signal.aborted).toBe(true);
  });

  it('informs the store only when work under the lease has ended', async () => {
    let finish!: () => void;
    elector.lease!.waitUntil(new Promise<void>((resolve) => (finish = resolve)));
    clock.advance(10_000);
    await setImmediate();
    expect(events).not.toContain('released');
    finish();
    await setImmediate();
    expect(events.at(-1)).toBe('released');
  });

  it('gives up when the backend suspends it, and when the wall clock has jumped past the deadline', async () => {
    void backend.report({ role: 'suspended', term: 7 });
    await setImmediate();
    expect(events).toEqual(['acquired 7', 'lost 7 unconfirmed', 'released']);
    await grant(clock.now(), 8);
    clock.stepWall(10_001);
    clock.advance(1_000);
    expect(events.at(-1)).toBe('lost 8 unconfirmed');
  });

  it('rejects an invalid deadline', () => {
    for (const renewDeadline of [0, -1, NaN, 2 ** 31])
      expect(() => create({ renewDeadline })).toThrow(
        /renewDeadline must be a number of milliseconds from 1/,
      );
  });
});

it('a lease says until when no other candidate leads, also without a renew deadline', async () => {
  const clock = new VirtualClock(50_000);
  const backend = new FakeElection({ clock });
  const elector = new Elector({ backend, candidate: { id: 'me' }, clock });
  elector.start();
  void backend.report({ role: 'leader', term: 7, validUntil: 50_900, leaseUntil: 51_000 });
  await setImmediate();
  const lease = elector.lease!;
  expect(lease.exclusiveUntil).toBe(50_900);
  void backend.report({ role: 'leader', term: 7, validUntil: 51_900, leaseUntil: 52_000 });
  await setImmediate();
  expect(lease.exclusiveUntil).toBe(51_900);
  await elector.stop();
  expect(lease.exclusiveUntil).toBe(51_900);
});
