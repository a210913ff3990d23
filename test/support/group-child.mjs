// Members of a group, until its standard input ends: node group-child.mjs <options as JSON>
// Says on standard output what happens, one line of JSON each; takes commands on standard input in the same way. Uses the built
// library: run "npm run build" first.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { createGroupMember } from '../../libs/group-membership/dist/index.js';
import { RedisLeaderStore } from '../../libs/group-membership/dist/store/redis-leader-store.js';

const { redis, key, count, options } = JSON.parse(process.argv[2]);
/** Milliseconds on the clock that all processes of a machine share. */
const now = () => Number(process.hrtime.bigint()) / 1e6;
// Never less than it is, so that no grant seems shorter than it was.
const sinceStart = Math.min(...Array.from({ length: 100 }, () => -performance.now() + now()));
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Ports that cannot be reached, and sockets by the port that they lead to. */
let cut = new Set();
const sockets = new Set();
function dial(host, port) {
  const socket = cut.has(port) ? connect({ host: '127.0.0.1', port: 1 }) : connect({ host, port });
  const entry = { socket, port };
  sockets.add(entry);
  socket.once('close', () => sockets.delete(entry));
  return socket;
}

const store = new RedisLeaderStore({ redis, key });
const members = Array.from({ length: count }, (_, i) => {
  const owner = `${process.pid}-${i}`;
  const { member, transport } = createGroupMember({
    internalAddress: '127.0.0.1:0',
    tls: false,
    store,
    dial,
    onWarning: (message) => say({ kind: 'warning', owner, message }),
    ...options,
  });
  member.on('lease', ({ term, validUntil }) =>
    say({ kind: 'granted', owner, term, sentAt: now(), validUntil: validUntil + sinceStart }),
  );
  member.on('lost', ({ term, reason }) => say({ kind: 'lost', owner, term, reason, at: now() }));
  return { member, transport };
});

const commands = {
  status: () => {
    const states = members.map(({ member, transport }) => ({
      id: member.id,
      leader: member.leader?.id ?? null,
      members: member.members.map(({ id }) => id),
      address: member.members.find(({ id }) => id === member.id)?.address,
      mayAct: member.mayAct,
      sent: Object.values(member.sent).reduce((sum, each) => sum + each, 0),
      connections: transport.connections,
    }));
    say({ kind: 'status', at: now(), members: states });
  },
  cut: ({ ports }) => {
    cut = new Set(ports);
    for (const { socket, port } of sockets) if (cut.has(port)) socket.destroy();
  },
};
const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  const command = JSON.parse(line);
  commands[command.command](command);
});
input.on('close', () => process.exit(0));
process.once('SIGTERM', async () => {
  say({ kind: 'stopping', at: now() });
  await Promise.all(members.map(({ member }) => member.stop()));
  await store.cleanup();
  process.exit(0);
});
say({ kind: 'started' });
await Promise.all(members.map(({ member }) => member.start()));
say({ kind: 'joined', ids: members.map(({ member }) => member.id) });
