import { openSync, writeSync, closeSync } from 'fs';
import { sharedClock } from '../support/process-figures.js';
import type { JournalEvent } from './journal.js';

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
    writeSync(this.file, `${sharedClock()} ${process.pid} ${event}\n`);
  }

  close(): void {
    closeSync(this.file);
  }
}
