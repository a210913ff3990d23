import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimedBeyond, staleWrites, type JournalEntry } from './journal.js';
import { JournalReader } from './journal-reader.js';
import { JournalWriter } from './journal-writer.js';

let directory: string;
let path: string;
let reader: JournalReader;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(directory, 'journal');
  reader = new JournalReader(path);
});

afterEach(() => {
  reader.close();
  rmSync(directory, { recursive: true });
});

describe('a journal', () => {
  it('is read in the order of the writes of several processes', () => {
    const [one, other] = [new JournalWriter(path), new JournalWriter(path)];
    one.add('joined');
    other.add('elected');
    reader.read();
    one.add('wrote');
    reader.read();
    expect(reader.entries.map(({ event }) => event)).toEqual(['joined', 'elected', 'wrote']);
    expect(reader.entries.every(({ pid }) => pid === process.pid)).toBe(true);
    const times = reader.entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    one.close();
    other.close();
  });

  it('leaves an incomplete line for later', () => {
    appendFileSync(path, '10 1 joined\n20.5 2 el');
    reader.read();
    expect(reader.entries).toEqual([{ at: 10, pid: 1, event: 'joined' }]);
    appendFileSync(path, 'ected\n');
    reader.read();
    expect(reader.entries[1]).toEqual({ at: 20.5, pid: 2, event: 'elected' });
  });

  it('is read completely if it is larger than a chunk', () => {
    appendFileSync(path, '123456.789 12345 wrote\n'.repeat(10_000));
    reader.read();
    expect(reader.entries).toHaveLength(10_000);
    expect(reader.entries.every(({ event }) => event === 'wrote')).toBe(true);
  });

  it('waits for a matching entry from an index on', async () => {
    appendFileSync(path, '10 1 elected\n');
    const second = reader.waitFor('a second leader', 20_000, ({ event }) => event === 'elected', 1);
    appendFileSync(path, '20 2 elected\n');
    expect((await second).pid).toBe(2);
    await expect(reader.waitFor('a third leader', 20, () => false)).rejects.toThrow(
      'timed out after 20 ms: a third leader',
    );
  });
});

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
