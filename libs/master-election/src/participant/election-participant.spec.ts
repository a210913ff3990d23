import { EventEmitter } from 'node:events';
import type { Elector } from '@detector-cluster/election';
import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ElectionParticipant } from './election-participant.js';

class CountdownError extends Error {
  override readonly name = 'CountdownError';
}

class Participant extends ElectionParticipant {
  readonly source = new EventEmitter();

  constructor() {
    super({ name: 'default', lockTtl: 1_000, backend: undefined });
    this.follow(this.source as Elector);
  }
}

describe('ElectionParticipant', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('logs an error once, again after an interval, and the end of the outage', () => {
    const lines: string[] = [];
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(Logger.prototype, 'warn').mockImplementation((line: string) => lines.push(line));
    vi.spyOn(Logger.prototype, 'log').mockImplementation((line: string) => lines.push(line));
    const { source } = new Participant();
    const fail = (error: Error) => source.emit('error', error);
    source.emit('recovered');
    fail(new Error('a'));
    fail(new Error('a'));
    fail(new Error('b'));
    fail(new CountdownError('9 s'));
    fail(new CountdownError('8 s'));
    now = 29_999;
    fail(new Error('a'));
    now = 30_000;
    fail(new Error('a'));
    source.emit('recovered');
    source.emit('recovered');
    expect(lines).toEqual([
      'a; trying again',
      'b; trying again',
      '9 s; trying again',
      'a; trying again',
      'the store answers again',
    ]);
  });
});
