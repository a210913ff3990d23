import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findSecrets } from '../../../../test/e2e/support/find-secrets.js';
import { redisText } from '../../../../test/e2e/support/redis-text.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { watchCommands } from '../../../../test/support/watch-commands.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
const LIMIT = 40_000;

const ID = 'd1;c1';
const PREFIX = '{detector}:';
const secrets = { password: 'cam3ra-p4ssword', token: 'sn4pshot-token', signature: 'm0del-s1gnature' };
const rtspUrl = `rtsp://viewer:${secrets.password}@192.0.2.1/main`;
const modelUrl = `https://models.example.com/cars.mpta?X-Amz-Signature=${secrets.signature}`;
const subscriptions = [
  {
    subscriptionIdentifier: ID,
    rtspUrl,
    modelUrl,
    modelId: 1,
    modelName: 'cars',
    snapshotUrl: `http://192.0.2.1/1.jpg?token=${secrets.token}`,
    snapshotInterval: 1_000,
  },
];

async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

const hasClearUrls = (worker: PlainWorker) =>
  worker.addresses.get(ID) === rtspUrl && worker.models.get(ID) === modelUrl;

const isRemoval = ({ type }: { type: string }) => type === 'subscription-removed';

describe('a camera that a process requests with its password, without the option secret', () => {
  let redis: RedisService;
  let client: Redis;
  let texts: Map<string, string>;
  let endWatch: () => void;
  let workers: PlainWorker[];
  let children: ChildProcess[];
  let processes: ClusterProcess[];

  beforeEach(async () => {
    [workers, children, processes, texts] = [[], [], [], new Map()];
    redis = await startRedis();
    client = new Redis(redis.url);
    endWatch = await watchCommands(redis.url, ({ name, args }) =>
      texts.set('commands', `${texts.get('commands') ?? ''}${JSON.stringify([name, ...args])}\n`),
    );
  });
  afterEach(async () => {
    for (const child of children) await kill(child);
    for (const each of processes) await each.stop().catch(() => undefined);
    for (const worker of workers) await worker.stop();
    endWatch();
    client.disconnect();
    await redis.stop();
  });

  const urls = () => workers.map(({ url }) => url);

  /** A process of its own; resolves when it has requested what it is given. */
  async function startChild(requested: typeof subscriptions = []): Promise<ChildProcess> {
    const script = new URL('../../../../test/support/dist/cluster-child.js', import.meta.url);
    const options = {
      redis: redis.url,
      prefix: PREFIX,
      workers: urls(),
      subscriptions: requested,
      timing: 'fast',
    };
    const child = fork(script, [JSON.stringify(options)], { execArgv: [] });
    children.push(child);
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message) => message === 'started' && resolve());
      child.once('exit', () => reject(new Error('the child process ended')));
    });
    return child;
  }

  /** A process inside this one, and what it logs. */
  async function join(): Promise<{ process: ClusterProcess; log: () => string }> {
    let log = '';
    const write = (...args: unknown[]) => void (log += `${args.map(String).join(' ')}\n`);
    const process = await ClusterProcess.start({
      prefix: PREFIX,
      redis: redis.url,
      workers: urls(),
      logger: { log: write, warn: write, error: write },
    });
    processes.push(process);
    return { process, log: () => log };
  }

  async function expectNoSecrets(): Promise<void> {
    for (const [key, text] of await redisText(client)) texts.set(key, text);
    expect([...texts.keys()].join('\n')).toContain('requested_subscriptions');
    expect(texts.get('commands')).toContain('rtsp://***@192.0.2.1');
    expect(findSecrets(texts, secrets)).toEqual([]);
  }

  it('runs, also when another process is master, and no credential is in Redis', async () => {
    workers.push(await PlainWorker.start());
    const first = await startChild();
    const { process: next } = await join();
    const requester = await startChild(subscriptions);
    await eventually('the stream', LIMIT, () => hasClearUrls(workers[0]!));
    await next.active(1);

    // While the requester is frozen, it cannot become master.
    requester.kill('SIGSTOP');
    await kill(first);
    await eventually('the next master', LIMIT, () => next.election.getIsMaster());
    requester.kill('SIGCONT');
    await next.active(1);
    // Only a master that knows the URLs can send them to a worker that has lost its streams.
    workers[0]!.addresses.clear();
    workers[0]!.streams.clear();
    workers[0]!.report();
    await eventually('the stream under the next master', LIMIT, () => hasClearUrls(workers[0]!));
    await next.active(1);
    await expectNoSecrets();
  });

  it.each<[string, NodeJS.Signals, RegExp]>([
    ['is killed', 'SIGKILL', /displays without a subscription: d1 \(requester-ended\)/],
    ['ends', 'SIGTERM', /./],
  ])('ends when the process %s, and the master says why', async (_, signal, said) => {
    workers.push(await PlainWorker.start());
    const { process: master, log } = await join();
    const requester = await startChild(subscriptions);
    await master.active(1);
    await kill(requester, signal);
    await eventually('the end of the stream', LIMIT, () =>
      workers[0]!.commands.includes(`unsubscribe ${ID}`),
    );
    const shown = await master.cluster.getSubscriptions();
    expect(shown.subscriptions).toEqual([]);
    expect(log()).toMatch(said);
    if (signal === 'SIGKILL')
      expect(shown.skipped).toEqual([
        expect.objectContaining({ displayId: 'd1', reason: 'requester-ended' }),
      ]);
    else
      await eventually('the end of the request', LIMIT, async () => {
        const { skipped } = await master.cluster.getSubscriptions();
        return skipped.length === 0 && !(await client.exists(`${PREFIX}worker:requested_subscriptions`));
      });
    await eventually('the event', LIMIT, async () => (await master.cluster.listEvents()).some(isRemoval));
  });

  it('runs again when a process returns that was considered dead', async () => {
    workers.push(await PlainWorker.start());
    const { process: master } = await join();
    const seen: string[] = [];
    master.election.on('slave-registered', () => void seen.push('registered'));
    master.election.on('slave-removed', () => void seen.push('removed'));
    const requester = await startChild(subscriptions);
    await master.active(1);
    await eventually('the requester in the registry', LIMIT, () => seen.length > 0);
    requester.kill('SIGSTOP');
    const registry = `${PREFIX}election:processes`;
    const [slave] = await master.election.getSlaves();
    const entry = (await client.hget(registry, slave!.nodeId))!;
    await master.election.unregisterProcess(slave!.nodeId);
    await eventually('its removal', LIMIT, () => seen.at(-1) === 'removed');
    await eventually('the end of the stream', LIMIT, () =>
      workers[0]!.commands.includes(`unsubscribe ${ID}`),
    );
    requester.kill('SIGCONT');
    // Its next heartbeat does the same, up to 30 s later.
    await client.hset(registry, slave!.nodeId, entry);
    await eventually('the stream', LIMIT, () => hasClearUrls(workers[0]!));
    await master.active(1);
  });

  it('can be withdrawn by any process', async () => {
    workers.push(await PlainWorker.start());
    const { process: master } = await join();
    await startChild(subscriptions);
    await master.active(1);
    await master.cluster.unsubscribeFromCamera(ID);
    await eventually('the end of the stream', LIMIT, () =>
      workers[0]!.commands.includes(`unsubscribe ${ID}`),
    );
    expect((await master.cluster.getSubscriptions()).skipped).toEqual([]);
  });
});
