import { once } from 'node:events';
import { startRedis, TcpProxy, type RedisService } from '@detector-cluster/dev-services';
import {
  AcceptanceMonitor,
  endsOfLogs,
  get,
  startApp,
  waitFor,
  type AppProcess,
  WORKER_SCRIPT,
} from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { axeViolations } from '../dashboard/support/axe-violations.js';
import { TIMEOUT } from '../support/cluster.js';
import { describeWithBrowsers } from '../support/describe-with-browsers.js';
import { closed, firstAnswer } from './007-support/raw-screen.js';
import { WallPage, type Shown } from './007-support/wall-page.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const KEY_PREFIX = 'sample-007:';
const HOLDERS = `${KEY_PREFIX}holders`;

interface Wall {
  readonly replicas: readonly { readonly name: string; readonly role: string }[];
  readonly displays: readonly { readonly display: string; readonly replica: string | null }[];
}

const wallAt = ({ url }: AppProcess) => get<Wall>(url, '/wall');
const connectedTo = async (display: string, at: AppProcess) =>
  (await wallAt(at)).displays.find((one) => one.display === display)?.replica;
const idsOf = (shown: readonly Shown[]) => shown.map(({ id }) => id);
const camerasOf = (shown: readonly Shown[]) => [...new Set(shown.map(({ camera }) => camera))].sort();

describeWithBrowsers('007-display-wall, in two browsers', 2, (browser) => {
  let server: RedisService;
  let redis: Redis;
  let worker: AppProcess;
  let balancer: TcpProxy;
  let replicas: AppProcess[] = [];
  /** The replica that gets the next connections. */
  let preferred: AppProcess | undefined;
  const pages: WallPage[] = [];

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    worker = await startApp({
      name: 'worker',
      script: WORKER_SCRIPT,
      readyPath: '/health/live',
      env: { DETECTIONS_PER_SECOND: '4' },
    });
    replicas = await Promise.all(
      ['replica-1', 'replica-2', 'replica-3'].map((name) =>
        startApp({
          name,
          script: 'samples/007-display-wall/dist/main.js',
          readyPath: '/wall',
          env: {
            REPLICA: name,
            REDIS_URL: server.url,
            DETECTOR_WORKERS: `ws://127.0.0.1:${worker.port}`,
          },
        }),
      ),
    );
    balancer = await TcpProxy.start({
      targets: () => [...replicas].sort((a, b) => Number(b === preferred) - Number(a === preferred)),
    });
  }, 3 * TIMEOUT);
  afterEach(async () => {
    const opened = pages.splice(0);
    await Promise.all(opened.map((page) => page.close()));
    const shown = opened.flatMap(({ complaints }) => complaints);
    expect(shown).toEqual([]);
  });
  afterAll(async () => {
    await balancer?.stop();
    await Promise.all([...replicas, worker].map((app) => app?.stop()));
    redis?.disconnect();
    await server?.stop();
  });

  /** Opens a display through the load balancer, which passes it to `replica`. */
  const open = async (number: number, display: string, replica: AppProcess) => {
    preferred = replica;
    const page = await WallPage.open(browser(number), balancer.url, display);
    pages.push(page);
    expect(await page.liveAt()).toBe(replica.name);
    return page;
  };
  const master = () =>
    waitFor('a master', TIMEOUT, async () => {
      const masters = (await wallAt(replicas[0]!)).replicas.filter(({ role }) => role === 'master');
      return replicas.find(({ name }) => name === masters[0]?.name) ?? null;
    });
  const without = (...excluded: AppProcess[]) => replicas.find((replica) => !excluded.includes(replica))!;

  it('shows each display the detections of its own cameras, through two replicas', async () => {
    const entrance = await open(0, 'entrance', replicas[0]!);
    const garage = await open(1, 'garage', replicas[1]!);
    await Promise.all([entrance.showsMore(16), garage.showsMore(16)]);
    const [ofEntrance, ofGarage] = await Promise.all([entrance.shown(), garage.shown()]);
    expect(camerasOf(ofEntrance)).toEqual(['driveway', 'gate']);
    expect(camerasOf(ofGarage)).toEqual(['gate', 'ramp']);
    // Both displays have the gate, with a subscription and so with detections of their own.
    expect(idsOf(ofEntrance).filter((id) => idsOf(ofGarage).includes(id))).toEqual([]);

    for (const replica of replicas)
      expect((await wallAt(replica)).displays).toMatchObject([
        { display: 'entrance', replica: 'replica-1' },
        { display: 'garage', replica: 'replica-2' },
      ]);
    expect(await axeViolations(entrance.page)).toEqual([]);
    await garage.page.goto(balancer.url);
    await garage.page.getByText('connected to replica-1').waitFor();
    expect(await axeViolations(garage.page)).toEqual([]);
  });

  it('gives a display to the page that was opened last, in another browser, and the other page says so', async () => {
    const first = await open(0, 'entrance', replicas[0]!);
    await first.showsMore(1);
    const second = await open(1, 'entrance', replicas[2]!);
    await first.replaced();
    expect(await axeViolations(first.page)).toEqual([]);
    const shownByFirst = (await first.shown()).length;
    await second.showsMore(8);
    expect(await first.shown()).toHaveLength(shownByFirst);
    expect(await connectedTo('entrance', replicas[1]!)).toBe('replica-3');

    await first.takeBack();
    await second.replaced();
    await first.showsMore(8);
    const missed = idsOf(await second.shown());
    await waitFor('what it missed', TIMEOUT, async () => {
      const shown = new Set(idsOf(await first.shown()));
      return missed.every((id) => shown.has(id));
    });
  });

  it('gives a display away although the message about it is lost', async () => {
    const page = await open(0, 'garage', replicas[1]!);
    await redis.hset(HOLDERS, 'garage', 'another@nowhere');
    await page.replaced();
    await redis.hdel(HOLDERS, 'garage');
  });

  it('leaves a display to the page that was opened while it was cut off', async () => {
    const first = await open(0, 'entrance', replicas[0]!);
    replicas[0]!.pause();
    let second: WallPage;
    try {
      second = await open(1, 'entrance', replicas[1]!);
      await first.replaced();
    } finally {
      replicas[0]!.resume();
    }
    await waitFor('the thawed replica to answer', TIMEOUT, () => wallAt(replicas[0]!));
    await second.showsMore(8);
    expect(await second.liveAt()).toBe('replica-2');
  });

  it('shows no detection twice that was recorded twice', async () => {
    const page = await open(0, 'entrance', replicas[0]!);
    await page.showsMore(2);
    // As by an owner that died between its record and its acknowledgement.
    const log = `${KEY_PREFIX}log:entrance`;
    const [[, [, sighting]]] = (await redis.xrevrange(log, '+', '-', 'COUNT', 1)) as [[string, string[]]];
    await redis.xadd(log, '*', 'sighting', sighting!);
    const { detectionId } = JSON.parse(sighting!) as { detectionId: string };
    await waitFor('the repetition', TIMEOUT, () =>
      page.received.filter((id) => id === detectionId).length === 2 ? true : null,
    );
    await page.showsMore(4);
    expect(idsOf(await page.shown()).filter((id) => id === detectionId)).toHaveLength(1);
  });

  it.each([
    ['a replica is killed', false, 'crash'],
    ['the master is killed', true, 'crash'],
    ['a replica gets SIGTERM', false, 'shutdown'],
  ] as const)(
    'shows every accepted detection once when %s, to which a display is connected',
    async (_what, isMaster, end) => {
      const leader = await master();
      const victim = isMaster ? leader : without(leader);
      const entrance = await open(0, 'entrance', victim);
      const garage = await open(1, 'garage', without(leader, victim));
      const monitor = new AcceptanceMonitor(server.url, KEY_PREFIX);
      await monitor.start();
      try {
        await Promise.all([entrance.showsMore(8), garage.showsMore(8)]);
        await victim[end]();
        expect(await entrance.liveAt(victim.name)).not.toBe(victim.name);
        await Promise.all([entrance.showsMore(16), garage.showsMore(16)]);
        const accepted = [...monitor.accepted.keys()];
        expect(accepted.length).toBeGreaterThan(40);
        const missing = async () => {
          const shown = new Set([...idsOf(await entrance.shown()), ...idsOf(await garage.shown())]);
          return accepted.filter((id) => !shown.has(id));
        };
        await waitFor(
          'every accepted detection on a screen',
          TIMEOUT,
          async () => ((await missing()).length === 0 ? true : null),
          async () => `missing: ${(await missing()).join(', ')}\n${await endsOfLogs(replicas)}`,
        );
        monitor.check();
      } finally {
        monitor.stop();
        await victim.start();
      }
      for (const page of [entrance, garage]) {
        const ids = idsOf(await page.shown());
        expect(ids).toHaveLength(new Set(ids).size);
      }
    },
  );

  it('leaves a frozen replica, and does not come back when it thaws', async () => {
    const victim = without(await master());
    const page = await open(0, 'entrance', victim);
    await page.showsMore(1);
    preferred = without(victim);
    victim.pause();
    try {
      expect(await page.liveAt(victim.name)).toBe(preferred.name);
    } finally {
      victim.resume();
    }
    await waitFor('the thawed replica to answer', TIMEOUT, () => wallAt(victim));
    await page.showsMore(8);
    expect(await connectedTo('entrance', victim)).toBe(preferred.name);
  });

  it('notifies its pages when it shuts down', async () => {
    const victim = without(await master());
    const hello = { event: 'hello', data: { display: 'garage', page: 'raw', after: '0-0', opened: true } };
    const { socket } = await firstAnswer(victim.url, hello);
    const ended = once(socket, 'close');
    await victim.shutdown();
    const [code] = (await ended) as [number];
    expect(code).toBe(1001);
    await victim.start();
  });

  it('forgets the connections of a replica that has died', async () => {
    const victim = without(await master());
    const hello = { event: 'hello', data: { display: 'garage', page: 'raw', after: '0-0', opened: true } };
    const { socket, answer } = await firstAnswer(victim.url, hello);
    expect(answer).toBe('welcome');
    expect(await redis.hget(HOLDERS, 'garage')).toMatch(/^raw@/);
    await victim.crash();
    await waitFor('the end of the record', TIMEOUT, async () =>
      (await redis.hget(HOLDERS, 'garage')) === null ? true : null,
    );
    await closed(socket);
    await victim.start();
  });

  it.each([
    ['a page of another site', { event: 'hello', data: {} }, 'http://other.example', 401],
    [
      'an unknown display',
      { event: 'hello', data: { display: 'x', page: 'raw', after: '0-0' } },
      undefined,
      1008,
    ],
    ['no hello', { event: 'other' }, undefined, 1008],
  ] as const)('refuses %s', async (_what, message, origin, expected) => {
    const { socket, answer } = await firstAnswer(replicas[0]!.url, message, origin);
    await closed(socket);
    expect(answer).toBe(expected);
  });
});
