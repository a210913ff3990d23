import { beforeAll, describe, expect, it } from 'vitest';
import {
  CONNECTION_BOUNDS,
  connectionsInUse,
  type ConnectionsInUse,
} from '../../tools/bench/src/service/equipped-cluster.js';
import { TIMEOUT } from './support/cluster.js';

describe('connections to Redis of a process with everything in use', () => {
  let held: ConnectionsInUse;
  beforeAll(async () => {
    held = await connectionsInUse(process.env.DATABASE_URL);
  }, 5 * TIMEOUT);

  const follower = [
    'detector-cluster:acknowledge',
    'detector-cluster:commands',
    'detector-cluster:read',
    'detector-cluster:subscriber',
    'election:commands',
    'election:news',
    'election:presence',
    'master-election:commands',
  ];

  it.each([
    ['follower', follower],
    ['master', ['detector-cluster:append', ...follower].sort()],
  ] as const)('a %s holds these and no others', (role, names) => {
    expect(held[role]).toEqual(names);
    expect(held[role].length).toBeLessThanOrEqual(CONNECTION_BOUNDS[role]);
  });
});
