// A Nest application whose master is elected by a group, until its standard input ends: node group-master-child.mjs <JSON>
// Says on standard output who is master. Uses the built library: run "npm run build" first.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { GroupElectionBackend } from '../../libs/group-membership/dist/backend/index.js';
import { RedisLeaderStore } from '../../libs/group-membership/dist/store/redis-leader-store.js';
import { MasterElection, MasterElectionModule } from '../../libs/master-election/dist/index.js';

const { redis, key, options } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const store = new RedisLeaderStore({ redis, key });
const backend = new GroupElectionBackend({ internalAddress: '127.0.0.1:0', tls: false, store, ...options });
const listen = (election) => {
  election.on('master-acquired', ({ term }) => say({ event: 'acquired', term }));
  election.on('master-lost', ({ term, reason }) => say({ event: 'lost', term, reason }));
  election.on('error', () => undefined);
};
const application = await NestFactory.createApplicationContext(
  {
    module: class Application {},
    imports: [MasterElectionModule.forRoot({ redis, lockName: `${key}:lock`, backend })],
    providers: [{ provide: 'listening', inject: [MasterElection], useFactory: listen }],
  },
  { logger: false },
);
const election = application.get(MasterElection);
const telling = setInterval(
  () => say({ event: 'state', valid: election.lease?.isValid() ?? false, term: election.term }),
  100,
);
const end = async () => {
  clearInterval(telling);
  await application.close();
  await store.cleanup();
  process.exit(0);
};
process.once('SIGTERM', end);
process.stdin.on('end', () => process.exit(0)).resume();
