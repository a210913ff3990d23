import { describe, expect, it } from '@jest/globals';
import { ElectionRounds } from './election-rounds.js';
import { ElectionStoppedError } from './errors/election-stopped.error.js';
import { ElectionTimeoutError } from './errors/election-timeout.error.js';

describe('ElectionRounds', () => {
  it('tells begin and end of each election once', () => {
    const rounds = new ElectionRounds();
    expect([rounds.begin(), rounds.begin()]).toEqual([true, false]);
    expect([rounds.complete(false), rounds.complete(false)]).toEqual([true, false]);
    expect([rounds.begin(), rounds.complete(true)]).toEqual([true, true]);
  });

  it('resolves those who wait, now and later', async () => {
    const rounds = new ElectionRounds();
    rounds.begin();
    const waiting = rounds.wait(1_000);
    rounds.complete(true);
    await expect(waiting).resolves.toBe(true);
    await expect(rounds.wait(0)).resolves.toBe(true);
  });

  it('waits for the next election while one is under way', async () => {
    const rounds = new ElectionRounds();
    rounds.begin();
    rounds.complete(true);
    rounds.begin();
    const waiting = rounds.wait();
    rounds.complete(false);
    await expect(waiting).resolves.toBe(false);
  });

  it('gives up after the timeout', async () => {
    const rounds = new ElectionRounds();
    rounds.begin();
    await expect(rounds.wait(10)).rejects.toThrow(ElectionTimeoutError);
    await expect(rounds.wait(10)).rejects.toMatchObject({ timeoutMs: 10 });
  });

  it('rejects with the first reason for its end', async () => {
    const rounds = new ElectionRounds();
    const waiting = rounds.wait();
    rounds.end(new Error('refused'));
    rounds.end(new ElectionStoppedError());
    await expect(waiting).rejects.toThrow('refused');
    await expect(rounds.wait(0)).rejects.toThrow('refused');
  });
});
