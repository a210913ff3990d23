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

/** The work of the leader. Ends by a rejection: that of `ready()` or of the fence. */
async function lead(lease: Lease): Promise<never> {
  console.log(`leads, term ${lease.term}`);
  for (;;) {
    // Waits while the lease is not confirmed, rejects when it is lost.
    await lease.ready();
    // A step of the work. Whatever holds it up, a slow disk or a frozen machine, the lease may be lost when it is done,
    // and no check in this process is late enough: so the write itself carries the term.
    await sleep(250);
    await fence.write(lease.term, [['RPUSH', 'sample-005:results', `${lease.term} ${id}`]]);
  }
}

const backend = new RedisElectionBackend({
  redis: redisUrl,
  lockName: 'sample-005:election',
  // A frozen leader is replaced within 4 s, so that there is something to see; by default after 35 s.
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
    // Waits for the step under way; then another leads at once.
    await elector.stop();
    await backend.close();
    redis.disconnect();
  });
