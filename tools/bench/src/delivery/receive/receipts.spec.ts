import { describe, expect, it } from 'vitest';
import { countReceipts, Receipts } from './receipts.js';

function receiver(first: number, numbers: readonly number[]) {
  const receipts = new Receipts(first);
  for (const n of numbers) receipts.take(n);
  return receipts.list();
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('countReceipts', () => {
  it('finds no loss if the receivers together have all detections', () => {
    const lists = [receiver(1_000, numbers(1_000, 60_000)), receiver(1_000, numbers(60_000, 101_000))];
    expect(countReceipts(lists, 1_000, 100_000)).toEqual({ lost: 0, duplicates: 0 });
  });

  it('counts detections that no receiver has, also at the end', () => {
    const lists = [receiver(5, [5, 6, 9]), receiver(5, [8])];
    expect(countReceipts(lists, 5, 8)).toEqual({ lost: 4, duplicates: 0 });
    expect(countReceipts([receiver(5, [])], 5, 8)).toEqual({ lost: 8, duplicates: 0 });
  });

  it('counts duplicates in one receiver, in two, and from an earlier phase', () => {
    const lists = [receiver(100, [100, 100, 101, 40]), receiver(100, [101, 102])];
    expect(countReceipts(lists, 100, 3)).toEqual({ lost: 0, duplicates: 3 });
  });

  it('counts only expected detections as lost', () => {
    expect(countReceipts([receiver(0, [2])], 0, 6, (n) => n % 2 === 0)).toEqual({ lost: 2, duplicates: 0 });
  });
});
