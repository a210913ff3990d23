import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../candidates/journal.js';
import { claimedBeyond, staleWrites } from './journal-facts.js';

const journal = (text: string): JournalEntry[] =>
  text.split(' ').map((word, index) => ({
    at: index * 10,
    pid: Number(word.slice(1)),
    event: word.startsWith('e') ? 'elected' : word.startsWith('w') ? 'wrote' : 'joined',
  }));

describe('staleWrites', () => {
  it.each([
    ['nothing before and after', 'e1 w1 w1 e2 w2 w2', 0],
    ['writes of the old leader after the new one was elected', 'e1 w1 e2 w1 w2 w1', 2],
    ['none before the new one was elected', 'e1 w1 w1 w1', 0],
    ['none of its own second term', 'e1 w1 e2 w1 e1 w1 w1', 1],
    ['none of others', 'e1 w1 e2 w2 w3', 0],
  ])('%s', (_name, text, count) => {
    expect(staleWrites(journal(text), 1, 0)).toBe(count);
  });

  it('counts from an entry on', () => {
    expect(staleWrites(journal('e1 e2 w1 e1 e2 w1'), 1, 3)).toBe(1);
  });
});

describe('claimedBeyond', () => {
  const entries = journal('e1 w1 w1 w1 w1 w1');

  it.each([
    ['the last write came before', 60, 100, 0],
    ['the last write came after', 20, 100, 30],
    ['later writes are outside of the observed time', 20, 35, 10],
  ])('%s', (_name, end, until, beyond) => {
    expect(claimedBeyond(entries, end, until)).toBe(beyond);
  });

  it('is 0 without a write', () => {
    expect(claimedBeyond(journal('j1 e1'), 10, 100)).toBe(0);
  });
});
