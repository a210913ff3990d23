import { readFile } from 'node:fs/promises';
import { isAlive, startEtcd } from '@detector-cluster/dev-services';
import { waitFor } from '@detector-cluster/local-cluster';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { randomPrefix } from '../../support/random-prefix.js';
import { type ElectorProcess, TIMEOUT } from './elector-process.js';
import { useElectors } from './electors.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

/** Writes the time every 20 ms, and ignores SIGTERM: only SIGKILL ends it. */
const STUBBORN = 'trap "" TERM; while :; do date +%s%N >> "$0"; sleep 0.02; done';

/** Where the store is. */
const FLAGS = {
  redis: '--redis-url',
  etcd: '--etcd-endpoints',
  postgres: '--postgres-url',
  group: '--redis-url',
};

const { start, fileOf } = useElectors();
const proxies: TcpProxy[] = [];
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.stop())));

/** When the command of an instance ran. Nanoseconds since 1970. */
const timesOf = async (file: string): Promise<bigint[]> => {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  // SIGKILL may cut the last line short.
  return lines.filter((line) => line.length === lines[0]!.length).map(BigInt);
};

const faults = {
  'is cut off from the store': (leader, proxy) => {
    proxy.cut();
    return leader;
  },
  'is frozen': (leader) => {
    leader.signal('SIGSTOP');
    return leader;
  },
  'is killed': (leader) => {
    leader.kill();
    return leader;
  },
} satisfies Record<string, (leader: ElectorProcess, proxy: TcpProxy) => ElectorProcess>;

describe.each(['redis', 'etcd', 'postgres', 'group'] as const)('elector exec on %s', (backend) => {
  let store: URL;
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    if (backend === 'redis' || backend === 'group') store = new URL(process.env.REDIS_URL!);
    else if (backend === 'postgres') store = new URL(process.env.DATABASE_URL!);
    else {
      const server = await startEtcd();
      store = new URL(server.url);
      stop = () => server.stop();
    }
  }, TIMEOUT);
  afterAll(() => stop?.());

  const join = (id: string, port: number | string, lockName: string, file: string) => {
    const url = new URL(store);
    url.port = String(port);
    const flag = FLAGS[backend];
    const where = ['--backend', backend, flag, url.href.replace(/\/$/, ''), '--lock-name', lockName];
    if (backend === 'postgres') where.push('--postgres-table', 'elector_election');
    if (backend === 'group') where.push('--group-address', '127.0.0.1:0', '--group-insecure');
    // The leader must stay that until the fault, on a busy machine, too.
    const who = ['--instance-id', id, '--lock-ttl', '6s', '--json'];
    return start(['exec', ...where, ...who, '--', 'sh', '-c', STUBBORN, file]);
  };

  it.each(Object.entries(faults))(
    'ends a command that ignores SIGTERM before another one begins, when its leader %s',
    async (_what, fail) => {
      const lockName = `{${randomPrefix('elector')}}`;
      const [before, after] = [fileOf(`${lockName}-1`), fileOf(`${lockName}-2`)];
      const proxy = await TcpProxy.to(Number(store.port));
      proxies.push(proxy);
      const leader = join('first', proxy.port, lockName, before);
      const { pid } = await leader.event('command-started');
      const follower = join('second', store.port, lockName, after);
      await follower.event('follower', ({ leaderId }) => leaderId === 'first');
      fail(leader, proxy);
      await follower.event('command-started');
      await waitFor('the command of the second', TIMEOUT, () =>
        timesOf(after).then(
          (times) => times.length > 5 || null,
          () => null,
        ),
      );
      expect(isAlive(Number(pid))).toBe(false);
      const [first, second] = [await timesOf(before), await timesOf(after)];
      // How many depends on the machine: each takes a process of its own.
      expect(first.length).toBeGreaterThan(5);
      expect(Number(second[0]! - first.at(-1)!)).toBeGreaterThan(0);
    },
  );
});
