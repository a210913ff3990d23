import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Elector, type Lease } from '@detector-cluster/election';
import { RedisFence } from '@detector-cluster/election/fence';
import { RedisElectionBackend } from '@detector-cluster/election/redis';
import { Redis } from 'ioredis';

const redisUrl = process.env.REDIS_URL ?? 'redis://localhost:6379';
const id = process.env.REPLICA ?? hostname();

const redis = new Redis(redisUrl);
const fence = new RedisFence(redis, 'sample-005:fence');

/** The work of the leader. It ends when `ready()` or the fence rejects. */
async function lead(lease: Lease): Promise<never> {
  console.log(`leads, term ${lease.term}`);
  for (;;) {
    // Waits while the lease is not confirmed, rejects when it is lost.
    await lease.ready();
    // A step of the work. A slow disk or a frozen machine can delay it until the lease is lost, and no check in this
    // process is late enough. Therefore the write itself carries the term.
    await sleep(250);
    await fence.write(lease.term, [['RPUSH', 'sample-005:results', `${lease.term} ${id}`]]);
  }
}

const backend = new RedisElectionBackend({
  redis: redisUrl,
  lockName: 'sample-005:election',
  // Replaces a frozen leader within 4 s instead of 35 s, so that the sample is quick.
  timing: 'fast',
});
const elector = new Elector({
  backend,
  candidate: { id },
  // If `lead` rejects, the elector gives up leadership, so that another candidate can try.
  handlers: { begin: lead },
});
elector.on('lost', ({ term, reason }) => console.log(`leads no more, term ${term}: ${reason}`));
elector.on('follower', ({ leaderId }) => console.log(leaderId ? `follows ${leaderId}` : 'no leader'));
let lastError = '';
elector.on('error', ({ name, message }) => {
  // Logs a repeated error once.
  if (message !== lastError) console.warn(`${name}: ${message}`);
  lastError = message;
});
elector.start();

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    // Waits for the current step; then another process leads at once.
    await elector.stop();
    await backend.close();
    redis.disconnect();
  });
