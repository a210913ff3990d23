// The journalled service with an election that is too hasty for a slow Redis.
import { ELECTION_TIMINGS } from '../../../libs/election/dist/backends/redis/redis-election-options.js';
import { PRESENCE_TIMING } from '../../../libs/election/dist/backends/redis/campaign/presence-timing.js';

Object.assign(ELECTION_TIMINGS.fast, { lockTtl: 300, heartbeatInterval: 100, checkInterval: 50 });
Object.assign(PRESENCE_TIMING, {
  presenceLook: 50,
  presenceGrace: 250,
  presenceValidity: 200,
  confirmInterval: 50,
});
await import('../../../tools/chaos/dist/delivery/journalled-backend.child.js');
