import { describe, expect, it } from 'vitest';
import { mayHaveCommitted } from './subscription-triggers.js';

const error = (fields: object) => Object.assign(new Error('failed'), fields);
const driver = (code: string, cause: object) => ({ code, meta: { driverAdapterError: { cause } } });

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
    // Prisma's own wrapping of what the database or the driver said.
    [driver('P2010', { kind: 'postgres', originalCode: '23505' }), false],
    [driver('P2039', { kind: 'postgres', originalCode: '57014' }), false],
    [driver('P2010', { kind: 'DatabaseNotReachable' }), false],
    [driver('P2010', { kind: 'ConnectionClosed' }), true],
    [driver('P2010', { kind: 'SocketTimeout' }), true],
    [driver('P2039', { kind: 'postgres', originalCode: '57P01' }), true],
    [driver('P2039', { kind: 'postgres', originalCode: '08006' }), true],
    [driver('P2039', { kind: 'postgres', originalCode: '40003' }), true],
    [{ code: 'P2010' }, true],
    // As it comes from a COMMIT.
    [{ name: 'DriverAdapterError', cause: { kind: 'postgres', originalCode: 'P0001' } }, false],
    [
      { name: 'DriverAdapterError', cause: { kind: 'TransactionWriteConflict', originalCode: '40001' } },
      false,
    ],
    [{ name: 'DriverAdapterError', cause: { kind: 'ConnectionClosed' } }, true],
  ])('%j: %s', (fields, expected) => {
    expect(mayHaveCommitted(error(fields))).toBe(expected);
  });

  it('does not trust values that are not errors', () => {
    expect(mayHaveCommitted('text')).toBe(true);
    expect(mayHaveCommitted(null)).toBe(true);
  });
});
