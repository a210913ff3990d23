import { closeSync, openSync, writeSync } from 'node:fs';
import { sharedClock } from '../support/shared-clock.js';
import { formatEntry, type JournalEvent } from './journal-entry.js';

/**
 * Appends to the journal of an election. The journal is also the resource that leaders write to: one file for all candidates
 * that accepts every write and keeps their order. A write is one system call, completed when the method returns.
 */
export class JournalWriter {
  private readonly file: number;

  constructor(path: string) {
    this.file = openSync(path, 'a');
  }

  add(event: JournalEvent): void {
    writeSync(this.file, formatEntry({ at: sharedClock(), pid: process.pid, event }));
  }

  close(): void {
    closeSync(this.file);
  }
}
