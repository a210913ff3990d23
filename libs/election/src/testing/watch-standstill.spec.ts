import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { standStill } from '../test-support/stand-still.js';
import { watchStandstill } from './watch-standstill.js';

describe('watchStandstill', () => {
  it('notices a standstill that ends before any timer has fired', async () => {
    const standstill = watchStandstill(100);
    await sleep(30);
    standStill(150);
    expect(standstill.end()).toBe(true);
  });

  it('notices a standstill in the past', async () => {
    const standstill = watchStandstill(100);
    standStill(150);
    await sleep(30);
    expect(standstill.end()).toBe(true);
  });

  it('does not count the pauses between its looks', async () => {
    const standstill = watchStandstill(30_000);
    await sleep(50);
    expect(standstill.end()).toBe(false);
  });
});
