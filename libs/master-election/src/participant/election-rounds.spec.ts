import { describe, expect, it } from 'vitest';
import { ElectionRounds } from './election-rounds.js';
import { ElectionStoppedError, ElectionTimeoutError } from '../shared/errors.js';

describe('ElectionRounds', () => {
  it('reports begin and end of each election once', () => {
    const rounds = new ElectionRounds();
    expect([rounds.begin(), rounds.begin()]).toEqual([true, false]);
    expect([rounds.complete(false), rounds.complete(false)]).toEqual([true, false]);
    expect([rounds.begin(), rounds.complete(true)]).toEqual([true, true]);
  });

  it('resolves current and later callers', async () => {
    const rounds = new ElectionRounds();
    rounds.begin();
    const waiting = rounds.wait(1_000);
    rounds.complete(true);
    await expect(waiting).resolves.toBe(true);
    await expect(rounds.wait(0)).resolves.toBe(true);
  });

  it('waits for the result of an election in progress', async () => {
    const rounds = new ElectionRounds();
    rounds.begin();
    rounds.complete(true);
    rounds.begin();
    const waiting = rounds.wait();
    rounds.complete(false);
    await expect(waiting).resolves.toBe(false);
  });

  it('rejects after the timeout', async () => {
    const rounds = new ElectionRounds();
    rounds.begin();
    await expect(rounds.wait(10)).rejects.toThrow(ElectionTimeoutError);
    await expect(rounds.wait(10)).rejects.toMatchObject({ timeoutMs: 10 });
  });

  it('waits forever without a timeout', async () => {
    const rounds = new ElectionRounds();
    rounds.begin();
    const waiting = [rounds.wait(), rounds.wait(Infinity), rounds.wait(2 ** 31)];
    const outcomes: unknown[] = [];
    for (const each of waiting)
      each.then(
        (isMaster) => outcomes.push(isMaster),
        (error: unknown) => outcomes.push(error),
      );
    await expect(rounds.wait(20)).rejects.toThrow(ElectionTimeoutError);
    expect(outcomes).toEqual([]);
    rounds.complete(true);
    await Promise.all(waiting);
    expect(outcomes).toEqual([true, true, true]);
  });

  it.each([Number.NaN, -1, '5s'])('refuses to wait for %p', async (timeoutMs) => {
    const rounds = new ElectionRounds();
    await expect(rounds.wait(timeoutMs as number)).rejects.toThrow(
      new RangeError(`timeoutMs must be a number from 0 on, not ${timeoutMs}`),
    );
  });

  it('rejects with the first error that ended it', async () => {
    const rounds = new ElectionRounds();
    const waiting = rounds.wait();
    rounds.end(new Error('refused'));
    rounds.end(new ElectionStoppedError());
    await expect(waiting).rejects.toThrow('refused');
    await expect(rounds.wait(0)).rejects.toThrow('refused');
  });
});
