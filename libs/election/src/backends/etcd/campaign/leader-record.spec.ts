import { describe, expect, it } from 'vitest';
import { readLeaderRecord, writeLeaderRecord } from './etcd-memory.js';

describe('the record of the leader', () => {
  it('is read as it was written', () => {
    for (const record of [
      { id: 'a:b', term: 17 },
      { id: null, term: 17 },
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
});
