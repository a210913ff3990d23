import { describe, expect, it } from 'vitest';
import { classifyDatabaseError, isWriteConflict } from './database-error.js';

describe('classifyDatabaseError', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'the database cannot be reached: its certificate has expired'],
    ['ECONNREFUSED', 'the database cannot be reached (ECONNREFUSED)'],
  ])('takes %s for a database out of reach', (code, detail) => {
    const error = Object.assign(new Error('text'), { code });
    expect(classifyDatabaseError(error)).toEqual({ kind: 'unavailable', detail });
  });

  it('takes a lost transaction for one that can be tried again, also where Prisma passes on the error of the driver', () => {
    const error = Object.assign(new Error('TransactionWriteConflict'), {
      name: 'DriverAdapterError',
      cause: { kind: 'TransactionWriteConflict' },
    });
    expect(classifyDatabaseError(error)?.kind).toBe('unavailable');
    expect(isWriteConflict(error)).toBe(true);
  });

  it('leaves other errors alone', () => {
    expect(classifyDatabaseError(new TypeError('text'))).toBeNull();
  });
});
