import { readFile } from 'node:fs/promises';
import { LocalCluster, request, waitFor } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { allActive, masterOf, TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { REFUSALS } from '../support/page-complaints.js';
import type { DashboardPage } from './support/dashboard-page.js';
import { describeInBrowser } from './support/describe-in-browser.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

/** What buttons that change something are called. */
const CHANGES = /^(?:Read the|Rebalance|Hand over|Cordon|Uncordon|Drain|Replay|Drop|Add|Import|Edit|Remove)/;

const ROUTES = [
  'overview',
  'cameras',
  'subscriptions',
  'subscriptions?view=skipped',
  'plan',
  'events',
  'events?view=audit',
  'detections',
  'detections?view=search',
  'dead-letters',
  'manage',
  'manage?kind=displays',
  'manage?kind=playlists',
  'manage?kind=models',
];

async function pictureOf({ page }: DashboardPage) {
  return {
    workers: await page.locator('article h3').allTextContents(),
    processes: await page.locator('.process-name bdi').allTextContents(),
    roles: await page.locator('.processes tbody td:nth-child(2)').allTextContents(),
    subscriptions: await page.locator('.tile').nth(2).textContent(),
  };
}

describeInBrowser('operating a cluster from its dashboard', (open) => {
  let cluster: LocalCluster;
  let redis: Redis;
  beforeAll(async () => {
    cluster = await LocalCluster.start({
      backends: 3,
      workers: 3,
      redisUrl: process.env.REDIS_URL,
      databaseUrl: process.env.DATABASE_URL,
      backendEnv: { DETECTION_HISTORY: 'true' },
      workerEnv: { DETECTIONS_PER_SECOND: '2' },
    });
    redis = new Redis(cluster.redis.url);
    await allActive(cluster);
  }, 3 * TIMEOUT);
  afterAll(async () => {
    redis?.disconnect();
    await cluster?.stop();
  });

  /** A page of the master and one of a follower, with all that moves the workers below it. */
  const openBoth = async (expected: readonly RegExp[] = []) => {
    const master = await masterOf(cluster);
    const follower = cluster.backends.find((backend) => backend !== master)!;
    const pages = [await open(master.url, { expected }), await open(follower.url, { expected })] as const;
    for (const one of pages) {
      await one.untilCharts();
      // Processes report once a second: a page that was just opened has not heard of all.
      await one.page.locator('.processes tbody tr').nth(2).waitFor();
    }
    return pages;
  };

  it('shows the same wherever it is opened, and soon', async () => {
    const pages = await openBoth();
    const workers = cluster.workers.map((worker) => `127.0.0.1:${worker.port}`).sort();
    // Each page hears of a change with its next message.
    await vi.waitFor(async () => {
      const pictures = await Promise.all(pages.map(pictureOf));
      expect(pictures[0]!.workers).toEqual(workers);
      expect(pictures[0]!.processes).toEqual(['backend-1', 'backend-2', 'backend-3']);
      expect(pictures[0]!.roles.filter((role) => role === 'Master')).toHaveLength(1);
      expect(pictures[0]!.subscriptions).toContain('7 / 8');
      expect(pictures[1]).toEqual(pictures[0]);
    }, TIMEOUT);

    const fresh = await open(cluster.backends[0]!.url);
    await fresh.worker(cluster.workerUrl(cluster.workers[0]!)).waitFor();
    await fresh.button('Rebalance').click({ trial: true });
  });

  it('drains, cordons and uncordons; another page shows the result', async () => {
    const [one, two] = await openBoth();
    const url = cluster.workerUrl(cluster.workers[0]!);
    const { host } = new URL(url);
    await one.act(`Drain ${host}`, 'Drain');
    await one.shows(one.results, `${host} is being drained.`);
    for (const page of [one, two]) {
      await page.shows(page.worker(url), 'Drained');
      await page.shows(page.worker(url), /\b0 subscriptions/);
    }
    await two.act(`Cordon ${host}`, 'Cordon');
    await two.shows(two.results, `${host} is cordoned.`);
    for (const page of [one, two]) await page.shows(page.worker(url), 'Cordoned');
    await one.act(`Uncordon ${host}`, 'Uncordon');
    await one.shows(one.results, `${host} accepts subscriptions again.`);
    for (const page of [one, two])
      await page.worker(url).getByText('Cordoned').waitFor({ state: 'detached' });
  });

  it('regenerates, previews and carries out a rebalance, and explains a subscription', async () => {
    const page = await open(cluster.backends[1]!.url);
    await page.act('Read the database again', 'Read again');
    await page.shows(page.results, 'The master has read the desired state and planned.');

    await page.button('Rebalance').click();
    await page.shows(page.dialog, /(No steps\.|Steps \d+)/);
    expect(await axeViolations(page.page)).toEqual([]);
    await page.confirm('Rebalance');
    await page.shows(page.results, 'The master has planned again and balances the load.');
    // Every page shows it, whatever replica serves it.
    const other = await open(cluster.backends[2]!.url);
    for (const one of [page, other])
      await one.page.getByText(/^Rebalance by .+: (nothing to move|\d+ cameras? moved)/).waitFor();

    await page.goTo('subscriptions');
    await page.page.getByRole('link', { name: 'display-003', exact: true }).click();
    await page.shows(page.dialog, 'Runs on');
    await page.shows(page.dialog, 'has 1 other subscription; they run on the same worker');
    await page.shows(page.dialog, 'Runs here');
    expect(await axeViolations(page.page)).toEqual([]);
    await page.page.keyboard.press('Escape');
    await page.dialog.waitFor({ state: 'detached' });
  });

  it('has the master resign, and says so when another operator was faster', async () => {
    const [page, other] = await openBoth(REFUSALS);
    const before = await masterOf(cluster);
    await page.act('Hand over to another process', 'Hand over');
    await page.shows(page.results, `${before.name} has handed over.`);
    const after = await masterOf(cluster, before);
    for (const one of [page, other]) await one.shows(one.process(after.name), 'Master');

    await other.button('Hand over to another process').click();
    await request(after.url, 'POST', '/api/cluster/master/resign', {}, TIMEOUT);
    await other.confirm('Hand over');
    await other.shows(
      other.dialog.getByRole('alert'),
      /term \d+ is not the current term: .* is master in term \d+/,
    );
    await other.page.keyboard.press('Escape');
    await masterOf(cluster, after);
  });

  it('replays and drops dead letters, and says which no longer exist', async () => {
    const stream = `${cluster.keyPrefix}worker:detections:{0}:dead`;
    const workerUrl = cluster.workerUrl(cluster.workers[0]!);
    const letter = async (subscription: string) => {
      const frame = {
        type: 'imageDetection',
        subscriptionIdentifier: subscription,
        timestamp: new Date().toISOString(),
        data: { detection: null, modelId: 1, modelName: 'm' },
      };
      const fields = {
        message: JSON.stringify({
          detectionId: `1-1-${subscription}`,
          workerUrl,
          receivedAt: Date.now(),
          data: frame,
        }),
        error: 'Error: it broke',
        attempts: '3',
      };
      const entry = await redis.xadd(stream, '*', ...Object.entries(fields).flat());
      return `${entry}-0`;
    };
    const [first, second, third] = [await letter('one;c'), await letter('two;c'), await letter('three;c')];

    const page = await open(cluster.backends[2]!.url, { route: 'dead-letters', expected: REFUSALS });
    const select = (id: string) => page.page.getByLabel(`Select the letter ${id}`);
    await select(first).check();
    await page.act('Replay selected…', 'Replay');
    await page.shows(page.results, '1 letter queued for delivery.');
    await select(first).waitFor({ state: 'detached' });

    await select(second).check();
    await page.act('Drop selected…', 'Drop');
    await page.shows(page.results, '1 letter dropped.');
    await select(second).waitFor({ state: 'detached' });

    await select(third).check();
    await redis.xdel(stream, third.slice(0, -'-0'.length));
    await page.act('Replay selected…', 'Replay');
    await page.shows(page.dialog, `there is no dead letter ${third}`);
    await page.page.keyboard.press('Escape');
    await page.shows(page.page.getByRole('main'), 'No dead letters');
    expect(await redis.xlen(stream)).toBe(0);
  });

  it('asks for the API key, which appears in no address and is not kept beyond the tab', async () => {
    const key = 'the-key-of-this-test';
    const backend = await cluster.addBackend({ API_KEY: key });
    const dashboard = await open(backend.url, { live: false, expected: REFUSALS });
    const { page } = dashboard;
    const addresses: string[] = [];
    page.on('request', (sent) => addresses.push(sent.url()));
    page.on('websocket', (socket) => addresses.push(socket.url()));
    const field = page.getByLabel('API key', { exact: true });
    await field.fill('another-key');
    await dashboard.button('Unlock').click();
    await page.getByText('The service rejected this key.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.getByRole('article').count()).toBe(0);
    await field.fill(key);
    await field.press('Enter');
    await dashboard.untilLive();
    await dashboard.act('Read the database again', 'Read again');
    await dashboard.shows(dashboard.results, 'The master has read the desired state and planned.');

    expect(addresses.length).toBeGreaterThan(1);
    expect([page.url(), ...addresses].filter((address) => address.includes(key))).toEqual([]);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(key);
    await page.reload();
    await dashboard.untilLive();
    await dashboard.button('Lock: remove the API key').click();
    await field.waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(key);
    await backend.stop();
    cluster.backends.splice(cluster.backends.indexOf(backend), 1);
  });

  it('offers only those changes that its caller may make', async () => {
    const [operator, reader] = ['the-key-of-an-operator', 'the-key-of-a-reader'];
    const backend = await cluster.addBackend({ API_KEYS: `ops:operate:${operator} grafana:read:${reader}` });
    const offered: Record<string, Set<string>> = {};
    for (const key of [operator, reader]) {
      const dashboard = await open(backend.url, { live: false, expected: REFUSALS });
      const { page } = dashboard;
      await page.getByLabel('API key', { exact: true }).fill(key);
      await page.keyboard.press('Enter');
      await dashboard.untilLive();
      const shown = (offered[key] = new Set<string>());
      for (const route of ROUTES) {
        await dashboard.goTo(route);
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
        await waitFor('what the page asks for', TIMEOUT, async () =>
          (await page.locator('main [aria-busy=true]').count()) === 0 ? true : null,
        );
        for (const text of await page.getByRole('button').allInnerTexts()) shown.add(text.trim());
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, worker, camera or action' }).fill('again');
      await dashboard.shows(dashboard.dialog, key === reader ? 'No matches.' : 'Read the database again');
    }
    const onlyOfOperators = [...offered[operator]!].filter((text) => !offered[reader]!.has(text));
    expect(onlyOfOperators).toEqual(
      expect.arrayContaining(['Read the database again', 'Rebalance', 'Cordon', 'Drain', 'Edit…', 'Remove…']),
    );
    expect([...offered[reader]!].filter((text) => CHANGES.test(text))).toEqual([]);
    await backend.stop();
    cluster.backends.splice(cluster.backends.indexOf(backend), 1);
  });

  it('says in the audit trail who did what, and what was refused', async () => {
    const [operator, reader] = ['the-key-of-an-operator', 'the-key-of-a-reader'];
    const backend = await cluster.addBackend({ API_KEYS: `ops:operate:${operator} grafana:read:${reader}` });
    const host = new URL(cluster.workerUrl(cluster.workers[0]!)).host;
    const call = (path: string, key: string) =>
      fetch(`${backend.url}/api/cluster/workers/${host}/${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key },
      });
    expect((await call('cordon', operator)).status).toBe(200);
    expect((await call('uncordon', operator)).status).toBe(200);
    expect((await call('drain', reader)).status).toBe(403);
    const dashboard = await open(backend.url, { live: false, route: 'events', expected: REFUSALS });
    const { page } = dashboard;
    await page.getByLabel('API key', { exact: true }).fill(reader);
    await page.keyboard.press('Enter');
    await dashboard.untilLive();
    await page.getByRole('link', { name: 'Audit trail' }).click();
    const lines = page.getByRole('list', { name: 'Actions, newest first' }).getByRole('listitem');
    await dashboard.shows(
      lines.nth(0),
      /Refused.*grafana has not started to drain worker .*grafana may only read/,
    );
    await dashboard.shows(lines.nth(1), /Done.*ops uncordoned worker/);
    await lines.nth(1).locator('summary').click();
    await dashboard.shows(lines.nth(1), /From[^]*127\.0\.0\.1[^]*Before[^]*cordoned[^]*After[^]*open/);
    await page.getByRole('combobox', { name: 'Action' }).selectOption('workersCordon');
    await dashboard.shows(lines.nth(0), 'ops cordoned worker');
    expect(page.url()).toContain('view=audit&action=workersCordon');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dashboard.button('Export CSV').click(),
    ]);
    const [names, ...exported] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect([download.suggestedFilename(), names]).toEqual([
      'audit.csv',
      expect.stringMatching(/^entryId,at,by,address,/),
    ]);
    expect(exported.length).toBeGreaterThan(0);
    for (const line of exported) expect(line).toContain(',workersCordon,');
    await backend.stop();
    cluster.backends.splice(cluster.backends.indexOf(backend), 1);
  });

  it(
    'has accessible pages, in light and dark, wide and narrow',
    async () => {
      const found: string[] = [];
      const url = cluster.workerUrl(cluster.workers[0]!);
      const routes = [...ROUTES, `worker?${new URLSearchParams({ url })}`];
      for (const theme of ['light', 'dark'] as const)
        for (const width of [1_280, 375]) {
          const dashboard = await open(cluster.backends[0]!.url, { theme, width });
          const { page } = dashboard;
          for (const route of routes) {
            await dashboard.goTo(route);
            await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
            await waitFor('what the page asks for', TIMEOUT, async () =>
              (await page.locator('main [aria-busy=true]').count()) === 0 ? true : null,
            );
            const here = (text: string) => `${route}, ${theme}, ${width} px: ${text}`;
            // Nothing but colours depends on the theme.
            found.push(...(await axeViolations(page, theme === 'light' ? 'all' : 'colours')).map(here));
            const overflow = await page.evaluate<number>(
              'document.documentElement.scrollWidth - document.documentElement.clientWidth',
            );
            if (overflow > 0) found.push(here(`${overflow} px too wide`));
          }
        }
      expect(found).toEqual([]);
    },
    12 * TIMEOUT,
  );
});
