import { describe, expect, it } from 'vitest';
import { classifyDatabaseError } from './database-error.js';

describe('classifyDatabaseError', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'the database cannot be reached: its certificate has expired'],
    ['ECONNREFUSED', 'the database cannot be reached (ECONNREFUSED)'],
  ])('takes %s for a database out of reach', (code, detail) => {
    const error = Object.assign(new Error('text'), { code });
    expect(classifyDatabaseError(error)).toEqual({ kind: 'unavailable', detail });
  });

  it('leaves other errors alone', () => {
    expect(classifyDatabaseError(new TypeError('text'))).toBeNull();
  });
});
