import { describe, expect, it } from '@jest/globals';
import { connectionsByUser } from './client-list.js';

describe('connectionsByUser', () => {
  it('groups the names of connections by user, and keeps connections without a name', () => {
    const list = [
      'id=3 addr=127.0.0.1:1 name=election:news age=1 user=one library=ioredis',
      'id=4 addr=127.0.0.1:2 name= age=1 user=one lib-name=ioredis',
      'id=5 addr=127.0.0.1:3 name=election:presence:lock:presence:node=1 age=1 user=two',
      '',
    ].join('\n');
    expect([...connectionsByUser(list)]).toEqual([
      ['one', ['', 'election:news']],
      ['two', ['election:presence']],
    ]);
  });
});
