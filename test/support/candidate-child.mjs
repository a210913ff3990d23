// One candidate of an election, until it is killed: node candidate-child.mjs <options as JSON>
// It leads when it is elected, and then writes to a fenced resource every few ms. It notes all that it does in a journal that
// all candidates share, one system call for each line. Uses the built library: run "npm run build" first.
import { openSync, writeSync } from 'node:fs';

const library = (path) => import(new URL(`../../libs/election/dist/${path}/index.js`, import.meta.url).href);
const [{ Elector }, redisBackend, { RedisFence }] = await Promise.all([
  library('.'),
  library('backends/redis'),
  library('fence'),
]);
const { closeRedis, commandSettings, openRedis, RedisElectionBackend } = redisBackend;

const { id, store, lockName, resource, prefix, journal, options } = JSON.parse(process.argv[2]);
const ACT_EVERY = 5;

/** Milliseconds on the clock that all processes of a machine share. */
const now = () => Number(process.hrtime.bigint()) / 1e6;
// Never less than it is, so that no grant seems shorter than it was.
const sinceStart = Math.min(...Array.from({ length: 100 }, () => -performance.now() + now()));

const file = openSync(journal, 'a');
const note = (kind, more) => writeSync(file, `${JSON.stringify({ owner: id, at: now(), kind, ...more })}\n`);
const crash = (error) => {
  note('crashed', { error: String(error?.stack ?? error) });
  process.exit(1);
};
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

const backend = new RedisElectionBackend({
  ...options,
  redis: { ...store, connectionName: id },
  lockName,
  onWarning: (message) => note('warned', { message }),
});
const recorded = {
  name: backend.name,
  resign: () => backend.resign(),
  close: () => backend.close(),
  async *campaign(candidate, signal) {
    for await (const state of backend.campaign(candidate, signal)) {
      if (state.role === 'leader')
        note('granted', {
          term: state.term,
          validUntil: state.validUntil + sinceStart,
          leaseUntil: state.leaseUntil + sinceStart,
        });
      yield state;
    }
  },
};
const elector = new Elector({ backend: recorded, candidate: { id } });
for (const event of ['suspended', 'resumed', 'lost', 'follower'])
  elector.on(event, (details) => note(event, details));
elector.on('error', (error) => note('failed', { error: `${error.code ?? error.name}: ${error.message}` }));

// As work that began under a lease and looks at nothing else: the lease is held on to also when it was lost.
let held;
elector.on('acquired', (details) => {
  note('acquired', details);
  held = elector.lease;
});

const writing = openRedis(resource, { ...commandSettings, enableOfflineQueue: true });
const fence = new RedisFence(writing, `${prefix}:fence`);
const acting = setInterval(() => {
  const at = now();
  if (!held?.isValid()) return;
  const { term } = held;
  note('acted', { at, term });
  fence.write(term, [['RPUSH', `${prefix}:accepted`, `${term} ${id}`]]).catch((error) => {
    if (error.code === 'FENCED') note('refused', { term });
  });
}, ACT_EVERY);

const commands = {
  block(duration) {
    note('blocked', { duration });
    const end = now() + duration;
    while (now() < end);
    note('unblocked');
  },
  resign: () => elector.resign(),
};
const listening = openRedis(resource, { connectionName: id });
listening.on('message', (_channel, message) => {
  const [name, ...args] = JSON.parse(message);
  commands[name](...args);
});
await listening.subscribe(`${prefix}:commands:${id}`);

process.once('SIGTERM', async () => {
  await elector.stop();
  clearInterval(acting);
  await backend.close();
  closeRedis(writing);
  closeRedis(listening);
  note('ended');
});
elector.start();
note('joined');
