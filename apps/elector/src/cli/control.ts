import { setTimeout as sleep } from 'node:timers/promises';
import type { ElectionControl } from '@detector-cluster/election';
import { type BackendOptions, etcdSource, postgresUrl, redisUrl } from './backend-options.js';
import { UsageError } from './usage.error.js';

/** Control of the election from outside; `undefined` for a backend that only its own process can see. */
export async function openControl(options: BackendOptions): Promise<ElectionControl | undefined> {
  const { backend, lockName } = options;
  switch (backend) {
    case 'redis': {
      const { RedisElectionControl } = await import('@detector-cluster/election/redis');
      return new RedisElectionControl({ redis: redisUrl(options), lockName });
    }
    case 'etcd': {
      const { EtcdElectionControl } = await import('@detector-cluster/election/etcd');
      return new EtcdElectionControl({ etcd: etcdSource(options), lockName });
    }
    case 'postgres': {
      const { PostgresElectionControl } = await import('@detector-cluster/election/postgres');
      return new PostgresElectionControl({
        postgres: postgresUrl(options),
        table: options.postgresTable,
        lockName,
      });
    }
    default:
      return undefined;
  }
}

/** @throws UsageError */
export async function requireControl(options: BackendOptions): Promise<ElectionControl> {
  const control = await openControl(options);
  if (!control)
    throw new UsageError(
      `--backend ${options.backend} cannot be looked at from another process: use redis, etcd or postgres`,
    );
  return control;
}

/** Prints the leader. Returns the exit code: 1 if there is none. */
export async function showStatus(
  control: ElectionControl,
  json: boolean,
  print: (line: string) => void,
): Promise<number> {
  const leader = await control.leader();
  if (json) print(JSON.stringify(leader ?? { leaderId: null }));
  else print(leader ? `${leader.leaderId} leads in term ${leader.term}` : 'no leader');
  return leader ? 0 : 1;
}

/** How often to check whether it has resigned. Milliseconds. */
const LOOK = 200;

/**
 * Asks the leader to resign and waits until it has: its end command runs first. Returns the exit code: 1 if there is no leader, or
 * if it does not resign within `timeout` ms.
 */
export async function askToResign(
  control: ElectionControl,
  timeout: number,
  json: boolean,
  print: (line: string) => void,
): Promise<number> {
  const leader = await control.leader();
  const say = (text: string, fields: object) => print(json ? JSON.stringify(fields) : text);
  if (!leader) {
    say('no leader', { resigned: null });
    return 1;
  }
  const { leaderId, term } = leader;
  await control.requestResign(term);
  for (const deadline = performance.now() + timeout; performance.now() < deadline; await sleep(LOOK)) {
    if ((await control.leader())?.term === term) continue;
    say(`${leaderId} has resigned from term ${term}`, { resigned: leaderId, term });
    return 0;
  }
  say(
    `${leaderId} did not resign from term ${term} within ${timeout / 1_000} s: only an elector listens to this`,
    {
      resigned: null,
      leaderId,
      term,
    },
  );
  return 1;
}
