import { once } from 'node:events';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { waitFor } from '@detector-cluster/local-cluster';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JournalEntry } from '../../support/leader-process.js';
import { watchCommands, type WatchedCommand } from '../../support/watch-commands.js';
import { TIMEOUT } from '../support/cluster.js';
import { LEADER_TIMING, mastersOf, useLeaderProcesses } from '../support/leader-processes.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

/** Libraries append to the name that an application gives its connections. */
const connectionsOf = async (redis: Redis, name: string) =>
  ((await redis.client('LIST')) as string)
    .split('\n')
    .filter((line) => line.includes(` name=${name} `) || line.includes(` name=${name}/`));

/** Whether a command appends a line to the journal. */
function isJournal({ name, args }: WatchedCommand, process: string, event: string): boolean {
  if (name !== 'rpush') return false;
  const entry = JSON.parse(args[1]!) as JournalEntry;
  return entry.name === process && entry.event.endsWith(event);
}

const ofOld = (event: string) => (command: WatchedCommand) => isJournal(command, 'old', event);

describe('the end of a master', () => {
  // Its own server, so that the test sees no commands of other clients.
  let server: RedisService;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());
  const processes = useLeaderProcesses(() => server.url);

  it.each([
    ['app.close()', false, { code: 0, signal: null }],
    ['shutdown hooks', true, { code: null, signal: 'SIGTERM' }],
  ])('comes in order after SIGTERM, by %s', async (_how, hooks, exit) => {
    const { redis, lockName } = processes();
    const nodeId = 'old-node';
    const old = processes().start('old', {
      jobs: [{ name: 'endless', period: 50, duration: 'endless' }],
      windDown: 500,
      hooks,
      election: { lockName, ...LEADER_TIMING, nodeId },
    });
    await processes().until('a job of the first process', (all) => all.some(({ job }) => job === 'endless'));
    processes().start('new');
    await processes().untilRegistered(2);
    const connections = await connectionsOf(redis, 'old');
    const addresses = connections.map((line) => / addr=(\S+)/.exec(line)![1]!);
    expect(addresses.length).toBeGreaterThan(2);

    // Everything that the server does from now on, in its order.
    const commands: WatchedCommand[] = [];
    const endWatch = await watchCommands(server.url, (command) => commands.push(command));
    const exited = once(old, 'exit') as Promise<[number | null, string | null]>;
    old.kill('SIGTERM');
    const [code, signal] = await exited;
    expect({ code, signal }).toEqual(exit);
    // The server hears of it a moment later.
    await waitFor('its connections to be gone', TIMEOUT, async () =>
      (await connectionsOf(redis, 'old')).length === 0 ? true : null,
    );
    await processes().until('another master', (all) => mastersOf(all).includes('new'));
    expect(await redis.hkeys(`${lockName}:processes`)).not.toContain(nodeId);
    await waitFor('what the server did', TIMEOUT, () =>
      commands.some((command) => isJournal(command, 'new', 'acquired')) ? true : null,
    );
    endWatch();

    expect(commands.filter(ofOld('ended'))).toHaveLength(2);
    const sequence = {
      aborted: commands.findLastIndex(ofOld('aborted')),
      ended: commands.findLastIndex(ofOld('ended')),
      released: commands.findIndex(({ name, args }) => name === 'del' && args[0] === `${lockName}:lease`),
      unregistered: commands.findIndex(
        ({ name, args }) => name === 'hdel' && args[0] === `${lockName}:processes` && args[1] === nodeId,
      ),
      shutDown: commands.findIndex(ofOld('shut down')),
    };
    const places = Object.values(sequence);
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const taken = commands.findIndex((command) => isJournal(command, 'new', 'acquired'));
    expect(taken).toBeGreaterThan(sequence.released);
    const after = commands.slice(sequence.shutDown + 1);
    expect(after.filter(({ name, source }) => addresses.includes(source) && name !== 'ping')).toEqual([]);
  });
});
