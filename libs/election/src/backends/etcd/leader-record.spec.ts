import { describe, expect, it } from 'vitest';
import { readLeaderRecord, writeLeaderRecord } from './etcd-memory.js';

describe('the record of the leader', () => {
  it('is read as it was written', () => {
    for (const record of [
      { id: 'a:b', term: 17, ttl: 10_000 },
      { id: null, term: 17, ttl: 10_000 },
    ])
      expect(readLeaderRecord(writeLeaderRecord(record))).toEqual(record);
  });

  it.each([
    '',
    '{',
    'null',
    '"x"',
    '{"version":2,"id":"a","term":1}',
    '{"version":1,"id":1,"term":1}',
    '{"version":1,"id":"a","term":"1"}',
  ])('is unknown when it is %j', (text) => {
    expect(readLeaderRecord(text)).toBeUndefined();
  });

  it.each(['', ',"ttl":0', ',"ttl":-1', ',"ttl":1.5', ',"ttl":"x"', ',"ttl":1e300', ',"ttl":null'])(
    'states no length when it is garbled: %j',
    (ttl) => {
      expect(readLeaderRecord(`{"version":1,"id":"a","term":1${ttl}}`)).toMatchObject({ ttl: 0 });
    },
  );
});
