import { progress } from '../support/progress.js';
import { commandsAtRest } from './commands-at-rest.js';
import { CONNECTION_BOUNDS, connectionsInUse } from './connections-in-use.js';

/**
 * Measures how many connections to Redis a process of the reference service holds with everything in use, and how many commands
 * it sends while nothing happens. Not `ok` if a process holds more connections than allowed, or one without a name.
 */
export async function connectionsBench() {
  const { follower, master } = await connectionsInUse({});
  const names = { follower: follower.names, master: master.names };
  progress(`connections: names ${JSON.stringify(names)}`);
  const atRest = await commandsAtRest();
  const ok =
    follower.count <= CONNECTION_BOUNDS.follower &&
    master.count <= CONNECTION_BOUNDS.master &&
    ![...follower.names, ...master.names].includes('');
  return {
    bench: 'connections',
    ok,
    follower: follower.count,
    master: master.count,
    bounds: CONNECTION_BOUNDS,
    commandsPerSecondIdle: atRest.perProcess,
    sentPerSecondIdle: atRest.sent,
  };
}
