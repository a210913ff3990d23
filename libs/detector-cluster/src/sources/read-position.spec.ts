import { describe, expect, it } from 'vitest';
import { isPositionHidden, readPosition } from './read-position.js';

const failed = (originalCode: string) => ({
  code: 'P2010',
  meta: { driverAdapterError: { cause: { originalCode } } },
});

describe('isPositionHidden', () => {
  it.each([
    ['a right is missing', failed('42501'), true],
    ['a function is missing', failed('42883'), true],
    ['the function is not supported', failed('0A000'), true],
    ['MySQL has no such function', failed('1305'), true],
    ['Prisma 6', { code: 'P2010', meta: { code: '42501' } }, true],
    ['the server shuts down', failed('57P01'), false],
    ['the statement takes too long', failed('57014'), false],
    ['there are too many connections', failed('53300'), false],
    ['the database cannot be reached', { code: 'P1001' }, false],
    ['the driver gave up', new Error('Query read timeout'), false],
  ])('%s: %s', (_name, error, hidden) => {
    expect(isPositionHidden(error)).toBe(hidden);
  });
});

describe('readPosition', () => {
  it('takes the timeline from the name of the file', async () => {
    const row = { system: '7', file: '0000001A000000010000002F', lsn: '1/2F000148' };
    const reader = { $queryRawUnsafe: () => Promise.resolve([row]) };
    expect(await readPosition(reader)).toEqual({ system: '7', timeline: 26, lsn: '1/2F000148' });
  });

  it('does not ask a client that has no raw SQL', async () => {
    expect(await readPosition({})).toBeUndefined();
  });
});
