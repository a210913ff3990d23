import { describe, expect, it } from 'vitest';
import { parseClientList } from './list-clients.js';

describe('parseClientList', () => {
  it('reads the fields of each connection, also those without a name', () => {
    const text = [
      'id=3 addr=127.0.0.1:1 laddr=127.0.0.1:9 name=election:news age=1 flags=N user=one library=ioredis',
      'id=4 addr=127.0.0.1:2 laddr=127.0.0.1:9 name= age=1 flags=O user=two lib-name=ioredis',
      '',
    ].join('\n');
    expect(parseClientList(text)).toEqual([
      { id: '3', addr: '127.0.0.1:1', name: 'election:news', user: 'one', flags: 'N' },
      { id: '4', addr: '127.0.0.1:2', name: '', user: 'two', flags: 'O' },
    ]);
  });
});
