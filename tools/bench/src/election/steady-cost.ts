import { listClients } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildCalls } from '../support/child-calls.js';
import { CommandTap } from './command-tap.js';
import { roundTo, sum } from '../support/percentile.js';
import type { IdleArguments, IdleCalls } from './idle.child.js';

const PROCESSES = 5;

/** Time for compilation and first renewals. Milliseconds. */
const SETTLE = 3_000;

/** The longest interval of the default timing. Milliseconds. */
const WINDOW = 10_000;

type IdleProcess = ChildCalls<IdleCalls>;

const nameOf = (n: number): string => `idle-${n}`;

const startIdle = (args: IdleArguments): Promise<IdleProcess> =>
  ChildCalls.start(args.connectionName, new URL('idle.child.js', import.meta.url), args);

/** Measures the cost of one master and four followers while nothing happens, at default timing. */
export async function steadyCost(redisUrl: string) {
  const lockName = `bench-${randomUUID()}`;
  const redis = new Redis(redisUrl);
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) => startIdle({ redisUrl, lockName, connectionName: nameOf(n) })),
  );
  try {
    await sleep(SETTLE);
    return await measure(redisUrl, redis, processes);
  } finally {
    redis.disconnect();
    await Promise.all(processes.map((each) => each.stop()));
  }
}

async function measure(redisUrl: string, redis: Redis, processes: readonly IdleProcess[]) {
  // The tap adds output of its own, so traffic and processor time are measured before it starts.
  const begin = performance.now();
  const [before, stats] = [await reports(processes), await totals(redis)];
  await sleep(WINDOW);
  const [after, later] = [await reports(processes), await totals(redis)];
  const seconds = (performance.now() - begin) / 1_000;

  const tapped = performance.now();
  const tap = await CommandTap.open(redisUrl);
  await sleep(WINDOW);
  const commands = await commandsOf(redis, tap, processes);
  const tappedSeconds = (performance.now() - tapped) / 1_000;
  tap.close();

  const master = after.findIndex(({ isMaster }) => isMaster);
  if (after.filter(({ isMaster }) => isMaster).length !== 1) throw new Error('not exactly one master');
  const rate = (count: number, processes: number) => roundTo(count / processes / tappedSeconds, 2);
  const followers = commands.filter((_, index) => index !== master);
  const cpu = after.map(({ cpuMs }, index) => (cpuMs - before[index]!.cpuMs) / (seconds * 10));
  return {
    commandsPerSecondPerProcess: rate(sum(commands), PROCESSES),
    masterCommandsPerSecond: rate(commands[master]!, 1),
    followerCommandsPerSecond: rate(sum(followers), PROCESSES - 1),
    /** Counted by Redis, including commands that scripts call. */
    processedPerSecondPerProcess: roundTo((later.commands - stats.commands) / PROCESSES / seconds, 2),
    bytesPerSecondPerProcess: {
      in: Math.round((later.input - stats.input) / PROCESSES / seconds),
      out: Math.round((later.output - stats.output) / PROCESSES / seconds),
    },
    idleCpuPercent: roundTo(Math.max(...cpu), 2),
    masterCpuPercent: roundTo(cpu[master]!, 2),
    processes: PROCESSES,
  };
}

const reports = (processes: readonly IdleProcess[]) =>
  Promise.all(processes.map((each) => each.call('report')));

async function totals(redis: Redis) {
  const text = await redis.info('stats');
  const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)![1]);
  return {
    commands: read('total_commands_processed'),
    input: read('total_net_input_bytes'),
    output: read('total_net_output_bytes'),
  };
}

/** How many commands each process has sent, on all of its connections. */
async function commandsOf(redis: Redis, tap: CommandTap, processes: readonly IdleProcess[]) {
  const clients = await listClients(redis);
  return processes.map((_, n) => {
    const own = clients.filter(({ name }) => name.startsWith(`${nameOf(n)}/`));
    if (own.length === 0) throw new Error(`${nameOf(n)} has no connection`);
    return sum(own.map(({ addr }) => tap.counts.get(addr) ?? 0));
  });
}
