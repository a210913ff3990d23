import { describe, expect, it } from 'vitest';
import { PostgresElectionBackend } from './postgres-election-backend.js';
import { resolvePostgresElectionOptions } from './postgres-election-options.js';

const postgres = 'postgresql://127.0.0.1/app';

describe('PostgreSQL election options', () => {
  it('has defaults', () => {
    expect(resolvePostgresElectionOptions({ postgres })).toMatchObject({
      lockName: 'master-election',
      table: 'election',
      lockTtl: 10_000,
      heartbeatInterval: 3_333,
      checkInterval: 5_000,
    });
  });

  it.each([
    [{ postgres: 'mysql://x' }, 'postgres: must be a URL'],
    [{ postgres: 'postgresql://h/app?sslmod=x' }, 'postgres: sslmod: is not known; did you mean sslmode?'],
    [{ postgres, lockTtl: 0 }, 'lockTtl must be a positive whole number of milliseconds, not 0'],
    [{ postgres, lockTtl: 100 }, 'lockTtl must be at least 200, not 100'],
    [
      { postgres, heartbeatInterval: 5_000 },
      'lockTtl (10000) must be more than twice heartbeatInterval (5000)',
    ],
    [{ postgres, checkInterval: 20_000 }, 'checkInterval (20000) must not be longer than lockTtl (10000)'],
    [{ postgres, lockName: '' }, 'lockName must not be empty'],
    [{ postgres, table: 'a; DROP' }, 'table must be the name of a table'],
  ])('refuses %j', (options, problem) => {
    expect(() => new PostgresElectionBackend(options)).toThrow(RangeError);
    expect(() => new PostgresElectionBackend(options)).toThrow(problem);
  });
});
