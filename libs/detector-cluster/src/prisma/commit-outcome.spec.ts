import { describe, expect, it } from '@jest/globals';
import { mayHaveCommitted } from './commit-outcome.js';

const error = (fields: object) => Object.assign(new Error('failed'), fields);

describe('mayHaveCommitted', () => {
  it.each([
    [{ code: 'P2002' }, false],
    [{ code: 'P2028' }, false],
    [{ code: 'P2034' }, false],
    [{ code: 'P1001' }, false],
    [{ name: 'PrismaClientValidationError' }, false],
    [{ name: 'PrismaClientInitializationError' }, false],
    [{ code: 'P1008' }, true],
    [{ code: 'P1017' }, true],
    [{ code: 'ECONNRESET' }, true],
    [{ name: 'PrismaClientUnknownRequestError' }, true],
    [{}, true],
  ])('%j: %s', (fields, expected) => {
    expect(mayHaveCommitted(error(fields))).toBe(expected);
  });

  it('does not trust what is no error', () => {
    expect(mayHaveCommitted('text')).toBe(true);
    expect(mayHaveCommitted(null)).toBe(true);
  });
});
