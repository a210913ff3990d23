import { randomUUID } from 'node:crypto';
import { describeElectionBackend } from '@detector-cluster/election/testing';
import { r } from 'rethinkdb-ts';
import { afterAll, beforeAll, describe } from 'vitest';
import { feedHarness, TEST_TIMING } from '../../test-support/feed-harness.js';
import { dropTable, rethinkTargets, type RethinkTarget } from '../../test-support/rethinkdb-servers.js';
import { RethinkElectionBackend } from './rethink-election-backend.js';

describe.each(rethinkTargets)('%s', (name, start) => {
  let target: RethinkTarget;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target.stop());

  const restartsStore = name === rethinkTargets[0]![0];
  describeElectionBackend(
    'RethinkDB',
    () => {
      const table = `election_${randomUUID().replaceAll('-', '')}`;
      return Promise.resolve(
        feedHarness({
          port: target.address.port,
          host: target.address.host,
          create: (port, clock) =>
            new RethinkElectionBackend({
              ...TEST_TIMING,
              clock,
              driver: r,
              connection: { ...target.address, host: '127.0.0.1', port },
              table,
              onWarning: () => undefined,
            }),
          restartStore: () => target.restart!(),
          recoveryWithin: 5_000,
          dispose: () => dropTable(target, table),
        }),
      );
    },
    { restartsStore },
  );
});
