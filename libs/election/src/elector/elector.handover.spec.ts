import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LeadershipLostError } from '../contract/errors.js';
import type { Lease } from '../contract/lease.js';
import { FakeElection } from '../testing/fake-election.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { Elector } from './elector.js';

const work = () => {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
};

const abortError = () => Object.assign(new Error('stopped'), { name: 'AbortError' });

describe('Elector hands over after the work under its lease', () => {
  let clock: VirtualClock;
  let backend: FakeElection;
  let elector: Elector;
  let order: string[];
  let lease: Lease;

  const grant = async (term: number) => {
    void backend.lead({ term, validFor: 60_000 });
    await setImmediate();
  };

  beforeEach(async () => {
    clock = new VirtualClock(10_000);
    backend = new FakeElection({ clock });
    elector = new Elector({ backend, candidate: { id: 'me' }, clock, handoverTimeout: 3_000 });
    order = [];
    backend.onResign = () => order.push('released');
    elector.on('acquired', ({ term }) => order.push(`acquired ${term}`));
    elector.on('lost', () => order.push('lost'));
    elector.on('error', (error) => order.push(`${error.name}: ${error.message}`));
    elector.start();
    await grant(7);
    lease = elector.lease!;
    lease.signal.addEventListener('abort', () => order.push(`aborted, valid ${lease.isValid()}`));
    order = [];
  });

  afterEach(() => elector.stop());

  it('goes from invalid to aborted to lost to settled to released', async () => {
    const { promise, resolve } = work();
    lease.waitUntil(promise.then(() => void order.push('settled')));
    const resigned = elector.resign();
    expect([lease.isValid(), elector.lease]).toEqual([false, null]);
    clock.advance(2_999);
    await setImmediate();
    expect(order).toEqual(['aborted, valid false', 'lost']);
    resolve();
    await resigned;
    expect(order).toEqual(['aborted, valid false', 'lost', 'settled', 'released']);
    expect(clock.pending).toBe(0);
  });

  it('keeps its campaign, and so the record, alive until then', async () => {
    const { promise, resolve } = work();
    lease.waitUntil(promise);
    const stopped = elector.stop();
    await setImmediate();
    expect(backend.candidate).toEqual({ id: 'me' });
    resolve();
    await stopped;
    expect(backend.candidate).toBeUndefined();
  });

  it('waits for it also when a listener of the loss stops the elector', async () => {
    const { promise, resolve } = work();
    lease.waitUntil(promise);
    let stopped: Promise<void> | undefined;
    elector.once('lost', () => (stopped = elector.stop()));
    const resigned = elector.resign();
    await setImmediate();
    expect(order).not.toContain('released');
    expect(backend.candidate).toEqual({ id: 'me' });
    resolve();
    await Promise.all([resigned, stopped]);
    expect(backend.candidate).toBeUndefined();
  });

  it('waits for work that the abort brings about', async () => {
    const { promise, resolve } = work();
    lease.signal.addEventListener('abort', () => lease.waitUntil(promise));
    const resigned = elector.resign();
    await setImmediate();
    expect(order).not.toContain('released');
    resolve();
    await resigned;
  });

  it('waits for work that is added while it waits', async () => {
    const first = work();
    const second = work();
    lease.waitUntil(first.promise);
    const resigned = elector.resign();
    lease.waitUntil(second.promise);
    first.resolve();
    await setImmediate();
    expect(order).not.toContain('released');
    second.resolve();
    await resigned;
  });

  it('names the work that outlives the deadline and does not wait for it any longer', async () => {
    lease.waitUntil(work().promise);
    lease.waitUntil(work().promise);
    lease.waitUntil(Promise.resolve());
    const resigned = elector.resign();
    await setImmediate();
    clock.advance(3_000);
    await resigned;
    expect(order.slice(2)).toEqual([
      'HandoverTimeoutError: leadership of term 7 was handed over while 2 piece(s) of work under it were still running: ' +
        "they did not end within 3000 ms after their lease's signal aborted",
      'released',
    ]);
  });

  it('reports work that fails, before and after the release', async () => {
    lease.waitUntil(Promise.reject(new Error('early')));
    await setImmediate();
    await elector.resign();
    lease.waitUntil(Promise.reject(new Error('late')));
    await setImmediate();
    expect(order).toEqual(['Error: early', 'aborted, valid false', 'lost', 'released', 'Error: late']);
  });

  it('does not report work that ends because of the abort', async () => {
    const until = (reason: () => unknown) =>
      new Promise((_, reject) => lease.signal.addEventListener('abort', () => reject(reason())));
    lease.waitUntil(until(() => lease.signal.reason));
    lease.waitUntil(until(abortError));
    lease.waitUntil(until(() => new LeadershipLostError(6, 'expired')));
    await elector.resign();
    expect(order).toEqual(['aborted, valid false', 'lost', 'released']);
  });

  it('reports an AbortError of other origin', async () => {
    lease.waitUntil(Promise.reject(abortError()));
    await setImmediate();
    expect(order).toEqual(['AbortError: stopped']);
  });

  it('does not lead again while old work is running, no matter what ended the term', async () => {
    const { promise, resolve } = work();
    lease.waitUntil(promise);
    await backend.follow('other', { term: 8 });
    expect(backend.candidate).toBeUndefined();
    await grant(9);
    expect(backend.candidate).toBeUndefined();
    expect(order).toEqual(['aborted, valid false', 'lost']);
    resolve();
    await setImmediate();
    expect(backend.candidate).toEqual({ id: 'me' });
    await grant(10);
    expect(order.at(-1)).toBe('acquired 10');
  });

  it('gives up a term that its campaign wins while old work is running', async () => {
    const { promise, resolve } = work();
    lease.waitUntil(promise);
    const resigned = elector.resign();
    await grant(8);
    expect(backend.candidate).toBeUndefined();
    expect(elector.lease).toBeNull();
    resolve();
    await resigned;
    await setImmediate();
    await grant(9);
    expect(order.at(-1)).toBe('acquired 9');
  });

  it('can be stopped while it hands over', async () => {
    const { promise, resolve } = work();
    lease.waitUntil(promise);
    const both = Promise.all([elector.resign(), elector.stop(), elector.stop()]);
    await setImmediate();
    expect(order).toEqual(['aborted, valid false', 'lost']);
    resolve();
    await both;
    expect(order).toEqual(['aborted, valid false', 'lost', 'released']);
    expect([backend.candidate, clock.pending]).toEqual([undefined, 0]);
  });
});
