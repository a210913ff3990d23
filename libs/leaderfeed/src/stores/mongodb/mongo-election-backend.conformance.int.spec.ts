import { randomUUID } from 'node:crypto';
import { describeElectionBackend } from '@detector-cluster/election/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe } from 'vitest';
import { feedHarness, TEST_TIMING } from '../../test-support/feed-harness.js';
import {
  mongoPort,
  mongoTargets,
  mongoUrlThrough,
  type MongoTarget,
} from '../../test-support/mongodb-servers.js';
import { MongoElectionBackend } from './mongo-election-backend.js';

describe.each(mongoTargets)('%s', (name, start) => {
  let target: MongoTarget;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target.stop());

  const restartsStore = name === mongoTargets[0]![0];
  describeElectionBackend(
    'MongoDB',
    () => {
      const collection = `election-${randomUUID()}`;
      return Promise.resolve(
        feedHarness({
          port: mongoPort(target.url),
          create: (port, clock) =>
            new MongoElectionBackend({
              ...TEST_TIMING,
              clock,
              driver: { MongoClient },
              url: mongoUrlThrough(target.url, port),
              collection,
              onWarning: () => undefined,
            }),
          restartStore: () => target.restart!(),
          recoveryWithin: 5_000,
          async dispose() {
            const client = new MongoClient(target.url);
            await client.db().dropCollection(collection);
            await client.db().dropCollection(`${collection}.lease`);
            await client.close();
          },
        }),
      );
    },
    { restartsStore },
  );
});
