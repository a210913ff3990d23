import { describe, expect, it } from 'vitest';
import { OutageLog } from './outage-log.js';

class CountdownError extends Error {
  override readonly name = 'CountdownError';
}

describe('OutageLog', () => {
  it('logs an error once, again after an interval, and the end of the outage', () => {
    const lines: string[] = [];
    let now = 0;
    const log = new OutageLog(
      { warn: (line) => lines.push(line), log: (line) => lines.push(line) },
      () => now,
    );
    log.recovered();
    log.failed(new Error('a'));
    log.failed(new Error('a'));
    log.failed(new Error('b'));
    log.failed(new CountdownError('9 s'));
    log.failed(new CountdownError('8 s'));
    now = 30_000;
    log.failed(new Error('a'));
    log.recovered();
    log.recovered();
    expect(lines).toEqual([
      'a; trying again',
      'b; trying again',
      '9 s; trying again',
      'a; trying again',
      'the store answers again',
    ]);
  });
});
