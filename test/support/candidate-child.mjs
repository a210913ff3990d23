// One candidate of an election, until it is killed: node candidate-child.mjs <options as JSON>
// It leads when it is elected, and then writes to a fenced resource every few ms. It notes all that it does in a journal that
// all candidates share, one system call for each line. Uses the built library: run "npm run build" first.
import { openSync, writeSync } from 'node:fs';
import {
  closeRedis,
  commandSettings,
  openRedis,
  RedisElectionBackend,
} from '../../libs/election/dist/backends/redis/index.js';
import { RedisFence } from '../../libs/election/dist/fence/index.js';
import { Elector } from '../../libs/election/dist/index.js';

const {
  id,
  store,
  lockName,
  resource,
  prefix,
  journal,
  api,
  backend: kind,
  database,
  options,
} = JSON.parse(process.argv[2]);
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

/** An application adds the start of its process to the id that it was given. */
const idOf = (candidateId) => candidateId && /^candidate:\w+/.exec(candidateId)[0];
const redis = { ...store, connectionName: id };
const onWarning = (message) => note('warned', { message });
const redisFeed = () => import('../../libs/leaderfeed/dist/stores/redis/index.js');

const backends = {
  redis: () => new RedisElectionBackend({ ...options, redis, lockName, onWarning }),
  'redis feed': async () => {
    const { RedisFeedElectionBackend } = await redisFeed();
    return new RedisFeedElectionBackend(redis, { ...options, channel: lockName, onWarning });
  },
  'postgres feed': async () => {
    const [{ default: pg }, { PostgresFeedElectionBackend }] = await Promise.all([
      import('pg'),
      import('../../libs/leaderfeed/dist/stores/postgres/index.js'),
    ]);
    const pool = new pg.Pool({ connectionString: database, connectionTimeoutMillis: 2_000 });
    return new PostgresFeedElectionBackend(pool, { ...options, electionName: prefix, onWarning });
  },
  etcd: async () => {
    const { EtcdElectionBackend } = await import('../../libs/election/dist/backends/etcd/index.js');
    return new EtcdElectionBackend({ ...options, etcd: { endpoints: database }, lockName: prefix });
  },
  postgres: async () => {
    const { PostgresElectionBackend } = await import('../../libs/election/dist/backends/postgres/index.js');
    return new PostgresElectionBackend({ ...options, postgres: database, lockName: prefix });
  },
};
const backend = await backends[kind ?? 'redis']();
const recorded = {
  name: backend.name,
  resign: () => backend.resign(),
  close: () => backend.close(),
  async *campaign(candidate, signal) {
    for await (const state of backend.campaign(candidate, signal)) {
      const at = now();
      yield state;
      // The reader of the states has now handled the previous one, and acts by this one from here on.
      if (state.role === 'leader')
        note('granted', {
          at,
          term: state.term,
          validUntil: state.validUntil + sinceStart,
          leaseUntil: state.leaseUntil + sinceStart,
        });
      else if (state.role === 'follower')
        note('follower', { term: state.term, leaderId: idOf(state.leaderId) });
    }
  },
};

/** The election as an `Elector`. */
function elect() {
  const elector = new Elector({ backend: recorded, candidate: { id } });
  for (const event of ['acquired', 'lost', 'suspended', 'resumed', 'error'])
    elector.on(event, (details) => heard(event, details));
  return {
    lease: () => elector.lease,
    start: () => elector.start(),
    resign: () => elector.resign(),
    stop: async () => {
      await elector.stop();
      await backend.close();
    },
  };
}

/** The election as `MasterElection` in an application of Nest. */
async function electInNest() {
  const { NestFactory } = await import('@nestjs/core');
  const { MasterElection, MasterElectionModule } = await import('../../libs/master-election/dist/index.js');
  let application;
  let election;
  const listen = (created) => {
    election = created;
    for (const event of ['acquired', 'lost', 'suspended', 'resumed'])
      election.on(`master-${event}`, (details) => heard(event, details));
    election.on('error', (error) => heard('error', error));
    for (const event of ['election-started', 'election-completed', 'slave-registered', 'slave-removed'])
      election.on(event, () => note('noticed', { event }));
  };
  // Of a backend that was made already.
  const { lockTtl: _lockTtl, ...ofModule } = options;
  const module = {
    module: class Application {},
    imports: [MasterElectionModule.forRoot({ ...ofModule, redis, lockName, nodeId: id, backend: recorded })],
    providers: [{ provide: 'listening', inject: [MasterElection], useFactory: listen }],
  };
  return {
    lease: () => election.lease,
    start: async () => {
      application = await NestFactory.createApplicationContext(module, { logger: false });
    },
    resign: () => election.resign(),
    stop: () => application.close(),
  };
}

/** The election as a feed in classic mode, which has no terms and no leases. */
async function electClassic() {
  const { RedisLeaderFeed } = await redisFeed();
  const feed = new RedisLeaderFeed(redis, { id, heartbeatIntervalMs: 250 });
  const term = 1;
  feed.on('new state', (state) => heard(state === 'leader' ? 'acquired' : 'lost', { term }));
  feed.on('new leader', (leaderId) => leaderId !== id && note('follower', { leaderId, term }));
  return {
    lease: () => ({ term, isValid: () => feed.isLeader }),
    start: () => feed.start({ channel: lockName }),
    resign: () => feed.elect('no-candidate'),
    stop: () => feed.stop(),
  };
}

// Like work that began under a lease and checks nothing else: it keeps the lease object even if the lease was lost.
let held;
function heard(event, details) {
  if (event === 'error')
    return note('failed', { error: `${details.code ?? details.name}: ${details.message}` });
  note(event, details);
  if (event === 'acquired') held = election.lease();
}
const apis = { Elector: elect, MasterElection: electInNest, ClassicFeed: electClassic };
const election = await apis[api ?? 'Elector']();

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
  resign: () => election.resign(),
};
const listening = openRedis(resource, { connectionName: id });
listening.on('message', (_channel, message) => {
  const [name, ...args] = JSON.parse(message);
  commands[name](...args);
});
await listening.subscribe(`${prefix}:commands:${id}`);

process.once('SIGTERM', async () => {
  await election.stop();
  clearInterval(acting);
  closeRedis(writing);
  closeRedis(listening);
  note('ended');
});
note('joined');
await election.start();
