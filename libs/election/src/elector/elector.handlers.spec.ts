import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ElectorGaveUpError } from '../contract/errors.js';
import type { Lease } from '../contract/lease.js';
import { FakeElection } from '../testing/fake-election.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import type { ElectorHandlers } from './elector-handlers.js';
import { Elector } from './elector.js';

const deferred = () => {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((done, failed) => ([resolve, reject] = [done, failed]));
  return { promise, resolve, reject };
};

describe('Elector with handlers', () => {
  let clock: VirtualClock;
  let backend: FakeElection;
  let elector: Elector;
  let log: string[];
  let on: ElectorHandlers;

  const pass = async (duration: number) => {
    clock.advance(duration);
    await setImmediate();
  };

  const failsOnce = () => {
    on.begin = () => {
      on.begin = undefined;
      throw new Error('no disk');
    };
  };

  beforeEach(() => {
    clock = new VirtualClock(10_000);
    backend = new FakeElection({ clock });
    log = [];
    on = {};
    backend.onResign = () => log.push('released');
    elector = new Elector({
      backend,
      candidate: { id: 'me' },
      clock,
      handlers: {
        begin: (lease) => {
          log.push(`begin ${lease.term}`);
          return on.begin?.(lease);
        },
        end: (leadership) => {
          log.push(`end ${leadership.term} ${leadership.reason}`);
          return on.end?.(leadership);
        },
        error: (error) => {
          log.push(`error ${error.message}`);
          return on.error?.(error);
        },
      },
    });
    elector.on('acquired', ({ term }) => log.push(`acquired ${term}`));
    elector.on('lost', ({ term }) => log.push(`lost ${term}`));
    elector.on('error', ({ message }) => log.push(`reported ${message}`));
    elector.on('gave-up', ({ name }) => log.push(name));
    elector.start();
  });

  afterEach(async () => {
    on = {};
    await elector.stop();
    expect(clock.pending).toBe(0);
  });

  it('runs begin and end on the transitions, and not on confirmations', async () => {
    await backend.lead();
    await backend.lead();
    await backend.follow();
    await backend.follow();
    await backend.lead();
    await elector.stop();
    expect([log.slice(0, 4), log.slice(4)]).toEqual([
      ['acquired 1', 'begin 1', 'lost 1', 'end 1 refused'],
      ['acquired 3', 'begin 3', 'lost 3', 'end 3 stopped'],
    ]);
  });

  it('gives the begin handler the lease', async () => {
    let lease: Lease | undefined;
    on.begin = (given) => void (lease = given);
    await backend.lead();
    expect(lease).toBe(elector.lease);
  });

  it('lets begin settle before end, and aborts its signal', async () => {
    const beginning = deferred();
    on.begin = ({ signal }) => {
      signal.addEventListener('abort', () => log.push('aborted'));
      return beginning.promise;
    };
    await backend.lead();
    await backend.follow();
    expect(log).toEqual(['acquired 1', 'begin 1', 'aborted', 'lost 1']);
    beginning.resolve();
    await setImmediate();
    expect(log.at(-1)).toBe('end 1 refused');
  });

  it('runs end after a begin that the loss has interrupted', async () => {
    on.begin = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    await backend.lead();
    await backend.follow();
    expect(log).toEqual(['acquired 1', 'begin 1', 'lost 1', 'end 1 refused']);
  });

  it('runs neither when a listener steps down before begin', async () => {
    elector.once('acquired', () => void elector.resign());
    await backend.lead();
    expect(log).toEqual(['acquired 1', 'lost 1', 'released']);
  });

  it('hands over after the first attempt of end', async () => {
    const ending = deferred();
    on.end = () => ending.promise;
    await backend.lead();
    const resigned = elector.resign();
    await pass(4_999);
    expect(log).not.toContain('released');
    ending.resolve();
    await resigned;
    expect(log).toEqual(['acquired 1', 'begin 1', 'lost 1', 'end 1 resigned', 'released']);
    expect(backend.candidate).toBeDefined();
  });

  it('does not wait for an end that hangs, but does not lead before it is over', async () => {
    const ending = deferred();
    on.end = () => ending.promise;
    await backend.lead();
    const resigned = elector.resign();
    await pass(5_000);
    await resigned;
    expect(log.at(-1)).toBe('released');
    expect(log.at(-2)).toMatch(/^reported leadership of term 1 was handed over while 1 piece/);
    expect(backend.candidate).toBeUndefined();
    ending.resolve();
    await setImmediate();
    await backend.lead();
    expect(log.at(-1)).toBe('begin 2');
  });

  describe('when begin fails', () => {
    it('gives up leadership, runs the error handler, and competes again after errorTimeout', async () => {
      failsOnce();
      await backend.lead();
      expect(log.slice(0, 3)).toEqual(['acquired 1', 'begin 1', 'lost 1']);
      expect(log.slice(3)).toEqual(['reported no disk', 'released', 'error no disk']);
      await pass(9_999);
      expect(backend.candidate).toBeUndefined();
      await pass(1);
      await backend.lead();
      expect(log.slice(6)).toEqual(['acquired 2', 'begin 2']);
    });

    it('waits for work under the lease first, and for the error handler', async () => {
      const handling = deferred();
      const work = deferred();
      on.begin = (lease) => {
        lease.waitUntil(work.promise);
        failsOnce();
        return on.begin!(lease);
      };
      on.error = () => handling.promise;
      await backend.lead();
      expect(log).not.toContain('released');
      work.resolve();
      await setImmediate();
      expect(log.slice(-2)).toEqual(['released', 'error no disk']);
      await pass(10_000);
      expect(backend.candidate).toBeUndefined();
      handling.resolve();
      await setImmediate();
      expect(backend.candidate).toBeDefined();
    });

    it('reports an error handler that fails, and continues', async () => {
      failsOnce();
      on.error = () => Promise.reject(new Error('no pager'));
      await backend.lead();
      expect(log.at(-1)).toBe('reported no pager');
      await pass(10_000);
      expect(backend.candidate).toBeDefined();
    });

    it('can be stopped at once', async () => {
      failsOnce();
      await backend.lead();
      await elector.stop();
      expect(clock.pending).toBe(0);
    });
  });

  it('runs end before the error handler when the campaign breaks', async () => {
    const ending = deferred();
    on.end = () => ending.promise;
    await backend.lead();
    await backend.break(new Error('no quorum'));
    expect(log.slice(2)).toEqual(['lost 1', 'reported no quorum', 'end 1 refused']);
    ending.resolve();
    await setImmediate();
    expect(log.at(-1)).toBe('error no quorum');
    await pass(10_000);
    expect(backend.candidate).toBeDefined();
  });

  describe('when end fails', () => {
    beforeEach(async () => {
      on.end = () => Promise.reject(new Error('still mounted'));
      await backend.lead();
    });

    it('releases first, then tries again every 5 s without competing', async () => {
      await elector.resign();
      await setImmediate();
      expect(log.slice(2)).toEqual(['lost 1', 'end 1 resigned', 'reported still mounted', 'released']);
      expect(backend.candidate).toBeUndefined();
      await pass(4_999);
      expect(log).toHaveLength(6);
      await pass(1);
      expect(log.slice(6)).toEqual(['end 1 resigned', 'reported still mounted']);
      on.end = undefined;
      await pass(5_000);
      expect(log.slice(8)).toEqual(['end 1 resigned']);
      await backend.lead();
      expect(log.slice(9)).toEqual(['acquired 2', 'begin 2']);
    });

    it('starts its retries only after the release', async () => {
      elector.lease!.waitUntil(deferred().promise);
      on.end = () => {
        on.end = undefined;
        throw new Error('still mounted');
      };
      void elector.resign();
      await pass(4_999);
      expect(log.at(-1)).toBe('reported still mounted');
      await pass(1);
      expect(log.at(-1)).toBe('released');
      await pass(5_000);
      expect(log.at(-1)).toBe('end 1 resigned');
    });

    it('gives up after 12 attempts, for good', async () => {
      const gaveUp: ElectorGaveUpError[] = [];
      elector.on('gave-up', (error) => gaveUp.push(error));
      await backend.follow();
      for (let retry = 1; retry < 12; retry++) await pass(5_000);
      expect(log.filter((entry) => entry === 'end 1 refused')).toHaveLength(12);
      expect(log.at(-1)).toBe('ElectorGaveUpError');
      expect(gaveUp[0]).toMatchObject({ term: 1, attempts: 12, cause: new Error('still mounted') });
      expect(backend.candidate).toBeUndefined();
      expect(() => elector.start()).toThrow(ElectorGaveUpError);
      await pass(60_000);
      expect(log.at(-1)).toBe('ElectorGaveUpError');
    });

    it('does not give up unnoticed', async () => {
      const thrown: (() => void)[] = [];
      const spy = vi
        .spyOn(globalThis, 'queueMicrotask')
        .mockImplementation((callback) => void thrown.push(callback));
      elector.removeAllListeners('gave-up');
      await backend.follow();
      for (let retry = 1; retry < 12; retry++) await pass(5_000);
      spy.mockRestore();
      expect(thrown).toHaveLength(1);
      expect(thrown[0]).toThrow(ElectorGaveUpError);
    });

    it('keeps retrying after stop(), which waits for it', async () => {
      let stopped = false;
      void elector.stop().then(() => (stopped = true));
      await pass(5_000);
      expect([stopped, backend.candidate]).toEqual([false, undefined]);
      expect(() => elector.start()).toThrow('stop() has resolved');
      on.end = undefined;
      await pass(5_000);
      expect(stopped).toBe(true);
    });

    it('has no error state when it has given up', async () => {
      await backend.break();
      for (let retry = 1; retry < 12; retry++) await pass(5_000);
      expect(log.at(-1)).toBe('ElectorGaveUpError');
      expect(log).not.toContain('error the campaign broke');
    });
  });
});
