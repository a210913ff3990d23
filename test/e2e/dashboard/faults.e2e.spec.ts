import {
  startPostgres,
  startRedis,
  type PostgresService,
  type RedisService,
} from '@detector-cluster/dev-services';
import { get, LocalCluster, waitFor } from '@detector-cluster/local-cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { allActive, masterOf, TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { REFUSALS } from '../support/page-complaints.js';
import { describeInBrowser } from './support/describe-in-browser.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

/** What a page may take to show what has become so in the cluster. Milliseconds. */
const SOON = 3_000;

interface StateAnswer {
  readonly workers: readonly {
    readonly state: string;
    readonly subscriptionCount: number;
    readonly subscriptions: readonly string[];
  }[];
}

/** Notes what the tiles say although three processes run and one of the others leads. */
const NOTE_FALSE_TILES = `window.falseTiles = [];
new MutationObserver(() => {
  const text = document.querySelector('.tiles')?.textContent ?? '';
  if (/No master|[12] process/.test(text)) window.falseTiles.push(text);
}).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true }); undefined`;

interface EventsAnswer {
  readonly items: readonly { readonly type: string; readonly at: string; readonly term: number }[];
}

/** Two outages of Redis that are less than 5 s apart can be recorded as one. Milliseconds, with room to spare. */
const SEPARATE_OUTAGES = 6_000;

/** A shorter outage of Redis can go unnoticed. Milliseconds, with room to spare. */
const RECORDED_OUTAGE = 6_000;

interface OutagesAnswer {
  readonly items: readonly { readonly since: string; readonly until: string }[];
}

/** The outages of Redis that are recorded, with their times (ISO 8601). */
async function redisOutages(url: string): Promise<OutagesAnswer['items']> {
  const { items } = await get<OutagesAnswer>(url, '/api/cluster/events?type=redis-unavailable');
  return items;
}

describeInBrowser('the dashboard of a cluster in which things fail', (open) => {
  let redis: RedisService;
  let postgres: PostgresService;
  let cluster: LocalCluster;
  beforeAll(async () => {
    [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    cluster = await LocalCluster.start({
      backends: 3,
      workers: 3,
      redisUrl: redis.url,
      databaseUrl: postgres.url,
    });
    await allActive(cluster);
  }, 3 * TIMEOUT);
  afterAll(async () => {
    await cluster?.stop();
    await Promise.all([redis?.stop(), postgres?.stop()]);
  });

  const follower = async () => {
    const master = await masterOf(cluster);
    return cluster.backends.find((backend) => backend !== master)!;
  };

  it('shows within three seconds that a worker was killed', async () => {
    const page = await open((await follower()).url);
    const worker = cluster.workers[2]!;
    const card = page.worker(cluster.workerUrl(worker));
    await page.shows(card, 'Ready');
    await worker.crash();
    const dead = performance.now();
    await page.shows(card, /Suspect|Offline/);
    const taken = Math.round(performance.now() - dead);
    console.info(`the page showed the death of a worker after ${taken} ms`);
    expect(taken).toBeLessThan(SOON);

    await page.shows(card, 'Offline');
    await page.shows(card, '0 subscriptions');
    await page.shows(card, /Connected\s*–/);
    await page.shows(card.locator('.usage').first(), /CPU\s*–/);
    await allActive(cluster);
    const { workers } = await get<StateAnswer>(cluster.backends[0]!.url, '/api/cluster/state');
    expect(workers.reduce((sum, { subscriptionCount }) => sum + subscriptionCount, 0)).toBe(7);
    expect(workers.find(({ state }) => state === 'Offline')).toMatchObject({
      subscriptions: [],
      cpuUsage: null,
      connectedAt: '',
    });
    await worker.start();
    await page.shows(card, 'Ready');
  });

  it('shows a new master within three seconds of its election, while the old one was killed', async () => {
    const served = await follower();
    const page = await open(served.url);
    const old = await masterOf(cluster);
    await page.shows(page.process(old.name), 'Master');
    const other = cluster.backends.find((backend) => backend !== old && backend !== served)!;

    const elections = async () => {
      const { items } = await get<EventsAnswer>(served.url, '/api/cluster/events');
      return items.filter(({ type }) => type === 'master-acquired');
    };
    const { term } = (await elections()).at(-1)!;

    await old.crash();
    const shown = await Promise.race(
      [served, other].map(async ({ name }) => {
        await page.shows(page.process(name), 'Master');
        return { name, at: Date.now() };
      }),
    );
    const master = await masterOf(cluster, old);
    expect(shown.name).toBe(master.name);
    // The master reads the state of the cluster before it records its election.
    const acquired = await waitFor(
      'the event of the election',
      TIMEOUT,
      async () => (await elections()).findLast((event) => event.term > term) ?? null,
    );
    const taken = shown.at - Date.parse(acquired.at);
    console.info(`the page showed the new master ${taken} ms after its election`);
    expect(taken).toBeLessThan(SOON);

    await page.goTo('events');
    await page.page.locator(`time[title*="term ${acquired.term}"]`).first().waitFor();
    // A new master has not lost the workers that it has not heard yet.
    await waitFor('the worker reports of the new master', TIMEOUT, async () => {
      const { workers } = await get<StateAnswer>(served.url, '/api/cluster/state');
      return workers.every(({ state }) => state === 'Ready') ? true : null;
    });
    await allActive(cluster);
    const later = await get<EventsAnswer>(served.url, '/api/cluster/events');
    expect(later.items.filter(({ type }) => type === 'cluster-frozen')).toEqual([]);
    expect(await page.page.locator('.event-timeline').getByText('Cluster frozen').count()).toBe(0);
    await old.start();
    await page.goTo('overview');
    await page.shows(page.process(old.name), 'Follower');
  });

  it('says that it is stale while its backend is unavailable, and recovers by itself', async () => {
    const served = await follower();
    const page = await open(served.url, { expected: REFUSALS });
    const cards = await page.page.getByRole('article').count();
    await page.shows(page.page.locator('.tiles'), '3 processes');
    await served.crash();
    await page.shows(page.banners, /Stale since \d\d:\d\d:\d\d/);
    expect(await axeViolations(page.page)).toEqual([]);
    expect(await page.page.getByText('Live', { exact: true }).count()).toBe(0);
    expect(await page.page.getByRole('article').count()).toBe(cards);
    const tiles = page.page.locator('.tile');
    for (const name of ['Workers ready', 'Subscriptions active', 'Detections per second', 'Lag'])
      await page.shows(tiles.filter({ hasText: name }), /Unknown.*As of \d\d:\d\d:\d\d/);
    await page.shows(tiles.filter({ hasText: 'Master' }), /Unknown.*As of .* 3 processes/);
    await page.act('Read the database again', 'Read again');
    await page.shows(page.dialog.getByRole('alert'), 'The service cannot be reached');
    await page.page.keyboard.press('Escape');

    await page.page.evaluate(NOTE_FALSE_TILES);
    await served.start();
    await page.untilLive();
    await page.page.getByText(/Stale since/).waitFor({ state: 'detached' });
    await page.shows(page.page.locator('.tiles'), '3 processes');
    expect(await page.page.evaluate('window.falseTiles')).toEqual([]);
    await page.act('Read the database again', 'Read again');
    await page.shows(page.results, 'The master has read the desired state and planned.');
  });

  it('says that the database is unavailable, and keeps its content', async () => {
    const page = await open((await follower()).url, { expected: REFUSALS });
    await postgres.kill();
    await page.shows(page.banners, /The database has been unavailable since/);
    expect(await page.page.getByRole('article').count()).toBe(cluster.workers.length);
    await page.shows(page.page.locator('.tile'), /7\s*\/ 8/);
    await page.act('Read the database again', 'Read again');
    await page.shows(
      page.dialog.getByRole('alert'),
      'Service unavailable: regenerate: the desired state cannot be read',
    );
    await page.page.keyboard.press('Escape');
    await postgres.start();
    await page.page.getByText(/The database has been unavailable/).waitFor({ state: 'detached' });
    await page.goTo('events?type=database-unavailable');
    const events = page.page.getByRole('listitem');
    await page.shows(events, /Database unavailable.*The master could not read the desired state/s);
    await page.goTo('events?type=database-available');
    await page.shows(events, /The master can read the desired state from the database again after \d+ s\./);
  });

  it.each(['killed', 'frozen'] as const)('says that Redis was %s, and keeps what it knows', async (what) => {
    const master = await masterOf(cluster);
    await waitFor('a start that no earlier outage is close to', TIMEOUT, async () => {
      const close = Date.now() - SEPARATE_OUTAGES;
      return (await redisOutages(master.url)).every(({ until }) => Date.parse(until) < close) ? true : null;
    });
    const served = await follower();
    const otherFollower = cluster.backends.find((backend) => backend !== master && backend !== served)!;
    const page = await open(served.url, { expected: REFUSALS });
    await page.shows(page.process(master.name), 'Master');
    await page.shows(page.page.locator('.tiles'), '3 processes');
    const from = Date.now();
    if (what === 'killed') await redis.kill();
    else redis.pause();
    await page.shows(page.banners, /Redis has not been readable here since/);
    expect(await page.page.getByRole('article').count()).toBe(cluster.workers.length);
    await page.shows(page.page.locator('.header'), 'Stale');
    await page.shows(page.banners, 'Which cameras run now is not known');
    await page.shows(
      page.page.getByRole('region', { name: 'Attention' }),
      /It is not known which cameras run now.*Pending/s,
    );
    expect(await page.page.getByText('Live', { exact: true }).count()).toBe(0);
    const tiles = page.page.locator('.tiles');
    await page.shows(tiles, 'Unknown');
    for (const name of ['Workers ready', 'Subscriptions active', 'Detections per second', 'Lag'])
      await page.shows(tiles.locator('.tile').filter({ hasText: name }), /As of \d\d:\d\d:\d\d/);
    for (const good of ['All ready', 'All active', '1 process', /run, no alerts/])
      expect(await page.page.getByRole('main').getByText(good, { exact: true }).count()).toBe(0);
    const processes = page.page.getByRole('region', { name: 'Backend processes' });
    await page.shows(processes, /As of \d\d:\d\d:\d\d/);
    await page.shows(page.process(master.name), 'Last known master');
    expect(await processes.getByText(/^Master/).count()).toBe(0);
    await page.act('Read the database again', 'Read again');
    await page.shows(page.dialog.getByRole('alert'), /Redis/);
    await page.page.keyboard.press('Escape');
    await sleep(Math.max(0, from + RECORDED_OUTAGE - Date.now()));
    // The process that serves the page continues to report. It must not count alone.
    await page.shows(tiles, /As of \d\d:\d\d:\d\d 3 processes/);
    const late = await open(otherFollower.url, { expected: REFUSALS, live: false });
    await late.shows(late.page.locator('.tiles'), 'Waiting for reports');
    await late.close();
    if (what === 'killed') await redis.start();
    else redis.resume();
    await page.page.getByText(/Redis has not been readable/).waitFor({ state: 'detached' });
    await page.untilLive();
    await waitFor('a master that is shown', TIMEOUT, async () =>
      (await page.page.locator('.processes').getByText('Master', { exact: true }).count()) === 1
        ? true
        : null,
    );
    await page.goTo('events?type=redis-unavailable');
    const recorded = async () =>
      (await redisOutages(master.url)).filter(({ until }) => Date.parse(until) >= from);
    await waitFor('an event of the outage', TIMEOUT, async () =>
      (await recorded()).length > 0 ? true : null,
    );
    expect(await recorded()).toHaveLength(1);
    const events = page.page.getByRole('listitem').filter({ hasText: 'Redis unavailable' });
    await page.shows(events, /Redis did not answer backend-\d for (less than 1|\d+) s, from /);
    await waitFor('all events in the page', TIMEOUT, async () =>
      (await events.count()) === (await redisOutages(master.url)).length ? true : null,
    );
  });
});
