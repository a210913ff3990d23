import { describe, expect, it } from 'vitest';
import { RedisOutageLog } from './redis-outage-log.js';

function setUp() {
  const lines: string[] = [];
  let now = 0;
  const note = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const log = new RedisOutageLog(
    { debug: () => undefined, log: note('log'), warn: note('warn') } as never,
    () => now,
  );
  const failAt = (at: number, message: string) => {
    now = at;
    log.failed(new Error(message));
  };
  return { failAt, lines, log };
}

describe('RedisOutageLog', () => {
  it('says once that Redis cannot be used, and that it answers again', () => {
    const { failAt, lines, log } = setUp();
    log.connected();
    for (let at = 0; at < 100_000; at += 500) failAt(at, at === 0 ? 'Command timed out' : 'refused');
    log.connected();
    log.connected();
    expect(lines).toEqual([
      'warn: Redis cannot be used (Redis did not reply in time); trying again until it can',
      'log: Redis answers again',
    ]);
  });

  it('says so at the next outage, although no connection broke in the one before', () => {
    const { failAt, lines } = setUp();
    failAt(0, 'late');
    failAt(29_999, 'late');
    expect(lines).toHaveLength(1);
    failAt(60_000, 'late again');
    expect(lines[1]).toBe('warn: Redis cannot be used (late again); trying again until it can');
  });
});
