import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournalReader, JournalWriter } from './journal.js';

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
