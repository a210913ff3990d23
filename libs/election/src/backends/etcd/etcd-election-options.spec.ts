import { describe, expect, it } from 'vitest';
import { EtcdElectionBackend } from './etcd-election-backend.js';
import { resolveEtcdElectionOptions } from './etcd-election-options.js';

const etcd = { endpoints: 'http://127.0.0.1:2379' };

describe('etcd election options', () => {
  it('has defaults', () => {
    expect(resolveEtcdElectionOptions({ etcd })).toMatchObject({
      lockName: 'master-election',
      lockTtl: 10_000,
      heartbeatInterval: 3_333,
    });
  });

  it.each([
    [{ etcd: { endpoints: [] } }, 'etcd.endpoints must name at least one member'],
    [
      { etcd: { endpoints: 'localhost:2379' } },
      "etcd.endpoints must be http:// or https:// URLs, not 'localhost:2379'",
    ],
    [{ etcd: { ...etcd, tls: {} } }, 'etcd.endpoints must be https:// URLs where etcd.tls is given'],
    [{ etcd: { ...etcd, password: 'x' } }, 'etcd.username is needed with etcd.password'],
    [{ etcd, lockTtl: 2_500 }, 'lockTtl must be whole seconds, in milliseconds, not 2500'],
    [{ etcd, lockTtl: -1_000 }, 'lockTtl must be a positive whole number of milliseconds, not -1000'],
    [{ etcd, heartbeatInterval: 5_000 }, 'lockTtl (10000) must be more than twice heartbeatInterval (5000)'],
    [{ etcd, lockName: '' }, 'lockName must not be empty'],
  ])('refuses %j', (options, problem) => {
    expect(() => new EtcdElectionBackend(options)).toThrow(RangeError);
    expect(() => new EtcdElectionBackend(options)).toThrow(problem);
  });

  it('names all problems', () => {
    expect(() => new EtcdElectionBackend({ etcd: { endpoints: 'x' }, lockTtl: 1 })).toThrow(
      /endpoints.*; lockTtl/,
    );
  });
});
