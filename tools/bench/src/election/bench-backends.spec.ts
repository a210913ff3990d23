import { describe, expect, it } from 'vitest';
import { chooseBackends } from './bench-backends.js';

const HERE = ['redis', 'etcd', 'postgres', 'memory', 'leaderfeed-redis', 'leaderfeed-postgres', 'group'];

describe('chooseBackends', () => {
  it('takes all backends that have a server, and says why it omits the others', () => {
    expect(chooseBackends([], {})).toEqual({
      names: HERE,
      leftOut: {
        console: 'nothing to measure: the user elects',
        'failovers of memory': 'it has one process, and no other survives',
        'leaderfeed-mongodb': 'set MONGODB_URL to the URL of a server',
        'leaderfeed-rethinkdb': 'set RETHINKDB_URL to the URL of a server',
      },
    });
    const { names, leftOut } = chooseBackends([], { MONGODB_URL: 'mongodb://127.0.0.1:27017/test' });
    expect(names.toSorted()).toEqual([...HERE, 'leaderfeed-mongodb'].toSorted());
    expect(Object.keys(leftOut)).not.toContain('leaderfeed-mongodb');
  });

  it('takes the named backends', () => {
    expect(chooseBackends(['group', 'redis'], {})).toEqual({ names: ['redis', 'group'], leftOut: {} });
  });

  it.each([
    ['reids', '--only reids: there are redis, etcd, postgres'],
    ['toString', '--only toString: there are redis'],
    ['console', '--only console: nothing to measure: the user elects'],
    ['leaderfeed-rethinkdb', '--only leaderfeed-rethinkdb: set RETHINKDB_URL to the URL of a server'],
  ])('refuses %s', (name, message) => {
    expect(() => chooseBackends([name], {})).toThrow(message);
  });
});
