import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { backend, keyed, pendingAlert, subscription, worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';
import { planOf } from './support/scripts.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const WORKER = 'ws://gpu-1:8000';

const away = (name: 'redis' | 'database' | 'master') => ({
  [name]: { name, ok: false, since: new Date().toISOString(), problem: 'refused' },
});

const dark = (camera: string, status: 'failed' | 'recovering', reason: string) => ({
  ...subscription(`display-${camera};${camera}`, WORKER),
  status,
  reason,
  since: new Date(Date.now() - 120_000).toISOString(),
});

const skipped = {
  hall: { displayId: 'hall', cameraId: 'roof', reason: 'no-playlist', detail: 'the display has no playlist' },
};

/** Made when a test begins, because it shows ages. */
const view = () => ({
  workers: { [WORKER]: worker(WORKER) },
  subscriptions: keyed(
    [
      dark('gate', 'failed', 'penalty'),
      dark('yard', 'recovering', 'camera-offline'),
      subscription('display-lane;lane', WORKER),
    ],
    ({ subscriptionIdentifier }) => subscriptionIdentifier,
  ),
  skipped,
  alerts: pendingAlert('SubscriptionsFailed'),
});

describeInBrowser('the overview', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it.each([1_280, 390])(
    'says first which cameras are dark, since when, why and what happens next (%s px)',
    async (width) => {
      service = await ScriptedService.start({ view: view() });
      const dashboard = await open(service.url, { width });
      const { page } = dashboard;
      const group = (name: string) => page.locator('.attention li').filter({ hasText: name });
      await dashboard.shows(
        group('gate'),
        /Failed.*1 camera: Refused by every worker.*tries again after a minute.*for \d+ min/,
      );
      await dashboard.shows(
        group('yard'),
        /Recovering.*No picture from the camera.*tries again after 30 seconds/,
      );
      await dashboard.shows(
        group('hall'),
        /Skipped.*1 display: Display has no playlist.*camera roof.*when the row is corrected/,
      );
      await dashboard.shows(group('DetectorClusterSubscriptionsFailed'), /Pending.*Fires in \d/);
      expect(await page.locator('main section, main .tiles').first().getAttribute('aria-label')).toBe(
        'Attention',
      );
      expect(await page.locator('main .attention .tone-ok').count()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      expect(
        await page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`),
      ).toBe(0);

      await group('gate').getByRole('link', { name: 'gate', exact: true }).click();
      await dashboard.shows(page.getByRole('main'), '1 found, 1 with a problem first');
    },
  );

  it('lets a camera with a problem be found by its name, with the reason', async () => {
    service = await ScriptedService.start({ view: view() });
    const dashboard = await open(service.url, { route: 'cameras' });
    const { page } = dashboard;
    const names = page.getByRole('list', { name: 'Cameras' }).getByRole('heading');
    await dashboard.shows(page.getByRole('main'), '4 found, 3 with a problem first');
    expect(await names.allTextContents()).toEqual(['gate', 'yard', 'roof', 'lane']);
    await dashboard.shows(page.getByRole('listitem'), 'Display has no playlist');
    for (const [name, problem] of [
      ['roof', 'Skipped: Display has no playlist'],
      ['hall', 'Skipped: Display has no playlist'],
      ['gate', 'Failed: Refused by every worker'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await dashboard.dialog.getByRole('combobox').fill(name);
      await dashboard.shows(page.getByRole('option'), problem);
      await page.keyboard.press('Escape');
    }
    await dashboard.goTo('subscriptions');
    const first = page.getByRole('table', { name: 'Subscriptions' }).getByRole('row').nth(1);
    await dashboard.shows(first, 'gate');
    await dashboard.shows(first, 'Failed');
  });

  it('is green only while the page knows that every camera runs and nothing is pending', async () => {
    const running = { 'd;lane': subscription('d;lane', WORKER) };
    service = await ScriptedService.start({ view: { workers: view().workers, subscriptions: running } });
    const dashboard = await open(service.url);
    const { page } = dashboard;
    const attention = page.getByRole('region', { name: 'Attention' });
    const good = attention.getByText('Every camera runs, no alerts', { exact: true });
    const tiles = page.locator('.tiles');
    const allActive = tiles.getByText('All active', { exact: true });
    for (const [shows, change, undo] of [
      [
        'Pending',
        { alerts: { set: pendingAlert('WorkersAway') } },
        { alerts: { gone: ['DetectorClusterWorkersAway'] } },
      ],
      [
        'Every camera runs, but what has changed in the database is not known',
        { sources: { set: away('database') } },
        { sources: { gone: ['database'] } },
      ],
      ['not known', { sources: { set: away('redis') } }, { sources: { gone: ['redis'] } }],
      ['Skipped', { skipped: { set: skipped } }, { skipped: { gone: ['hall'] } }],
      [
        'Recovering',
        { subscriptions: { set: { 'd;lane': dark('lane', 'recovering', 'camera-offline') } } },
        { subscriptions: { set: running } },
      ],
    ] as const) {
      await good.waitFor();
      await allActive.waitFor();
      service.change(change);
      await dashboard.shows(attention, shows);
      expect(await good.count()).toBe(0);
      service.change(undo);
    }
    await good.waitFor();
  });

  it('shows no figure as current while Redis or the master is unavailable', async () => {
    service = await ScriptedService.start({
      view: {
        workers: view().workers,
        subscriptions: { 'd;lane': subscription('d;lane', WORKER) },
        sources: away('master'),
        alerts: pendingAlert('StateUnknown'),
      },
    });
    const dashboard = await open(service.url, { live: false });
    await dashboard.shows(
      dashboard.page.getByRole('region', { name: 'Attention' }),
      /It is not known which cameras run now.*Pending/s,
    );
    const tile = (name: string) => dashboard.page.locator('.tile').filter({ hasText: name });
    await dashboard.shows(tile('Subscriptions active'), /Unknown.*As of .*: 1 of 1/);
    await dashboard.shows(tile('Workers ready'), /Unknown.*As of .*: 1 of 1/);
    expect(await dashboard.page.locator('.tiles').getByText(/^All/).count()).toBe(0);
    for (const name of [/^History/, /^Workers/])
      await dashboard.shows(dashboard.page.getByRole('heading', { level: 2, name }), /As of \d\d:\d\d:\d\d/);
    await dashboard.shows(
      dashboard.banners,
      /The master has not written the state of the cluster since .* Which cameras run now is not known/,
    );
    expect(await dashboard.banners.getByText('until a process becomes master').count()).toBe(0);
    const { master } = away('master');
    service.change({ sources: { set: { master: { ...master!, problem: 'no process is master' } } } });
    await dashboard.shows(
      dashboard.banners,
      /There has been no master since .* until a process becomes master/,
    );
  });

  it('says that there is no history while it cannot be read', async () => {
    service = await ScriptedService.start({ view: { ...view(), sources: away('redis') } });
    const dashboard = await open(service.url, { live: false });
    await dashboard.shows(
      dashboard.page.getByRole('region', { name: /^History/ }),
      'The history is not available until the outage ends.',
    );
  });

  it('warns before a drain without room stops cameras, in the time of the page', async () => {
    const problem = 'no other worker has room: gate. They stop at 2026-01-01T12:05:00.000Z.';
    const draining = worker(WORKER, { standing: 'draining', problem });
    service = await ScriptedService.start({
      view: { workers: { [WORKER]: draining }, subscriptions: { 'd;lane': subscription('d;lane', WORKER) } },
    });
    const dashboard = await open(service.url, { timeZone: 'Asia/Kolkata' });
    const attention = dashboard.page.getByRole('region', { name: 'Attention' });
    const stops = /They stop at 2026-01-01 17:35:00 /;
    await dashboard.shows(attention.getByRole('listitem').filter({ hasText: 'Draining' }), stops);
    await dashboard.shows(dashboard.worker(WORKER), stops);
    expect(await attention.getByText(/Every camera runs/).count()).toBe(0);
  });

  it('does not count the streams of a worker that a new master has not heard yet', async () => {
    const connecting = worker(WORKER, { state: 'Connecting', subscriptionCount: 0 });
    service = await ScriptedService.start({ view: { ...view(), workers: { [WORKER]: connecting } } });
    const dashboard = await open(service.url);
    await dashboard.shows(dashboard.worker(WORKER), 'No report yet of what it runs');
    expect(await dashboard.worker(WORKER).getByText('0 subscriptions').count()).toBe(0);
  });

  it('says of cameras without contact to their worker what happens next', async () => {
    const lost = dark('gate', 'recovering', 'worker-suspect');
    service = await ScriptedService.start({ view: { ...view(), subscriptions: { 'd;gate': lost } } });
    const dashboard = await open(service.url);
    await dashboard.shows(
      dashboard.page.locator('.attention li').filter({ hasText: 'gate' }),
      /No contact with its worker.*not known whether it still runs there.*15 seconds.*other workers take it/,
    );
  });

  it('names no master and counts no process before the processes have reported', async () => {
    service = await ScriptedService.start({ view: view() });
    const dashboard = await open(service.url);
    const tile = dashboard.page.locator('.tile').filter({ hasText: 'Master' });
    await dashboard.shows(tile, 'Waiting for reports');
    expect(await tile.getByText('No master').count()).toBe(0);
    service.change({ processes: { set: { b: backend('b') } } });
    await dashboard.shows(tile, /Does not report.*1 process/);
    const began = new Date(2026, 0, 1, 18, 18, 5).getTime();
    service.change({
      processes: { gone: ['b'], set: { a: backend('a', { role: 'master', mayAct: true, term: began }) } },
    });
    await dashboard.shows(tile, 'since 18:18:05');
    await dashboard.shows(tile, '1 process');
    expect(await dashboard.page.getByText(String(began)).count()).toBe(0);
    await tile.locator(`[title$="term ${began}"]`).waitFor();
  });

  it('counts skipped displays as wanted, ready workers as ready, and streams that nothing explains', async () => {
    service = await ScriptedService.start({
      view: {
        workers: { [WORKER]: worker(WORKER, { standing: 'draining', subscriptionCount: 429 }) },
        subscriptions: { 'd;lane': subscription('d;lane', WORKER) },
        skipped,
      },
    });
    const dashboard = await open(service.url);
    const tile = (name: string) => dashboard.page.locator('.tile').filter({ hasText: name });
    await dashboard.shows(tile('Workers ready'), /1 \/ 1.*1 closed to new cameras/);
    await dashboard.shows(dashboard.worker(WORKER), 'Ready');
    await dashboard.shows(tile('Subscriptions active'), /1 \/ 2.*1 skipped/);
    expect(await tile('Subscriptions active').getByText('All').count()).toBe(0);
    service.change({ subscriptions: { gone: ['d;lane'] }, skipped: { gone: ['hall'] } });
    await dashboard.shows(tile('Subscriptions active'), /0 \/ 0.*429 run, which are wanted is not known/);
  });

  it('shows dead letters and dropped detections when there are any', async () => {
    service = await ScriptedService.start({
      view: {
        ...view(),
        workers: { [WORKER]: worker(WORKER, { excess: { pauses: 0, dropped: 5, oversized: 0 } }) },
        processes: { a: backend('a', { dropped: 7 }) },
      },
      answers: { '/api/cluster/dead-letters': { items: [{}, {}], nextCursor: null } },
    });
    const dashboard = await open(service.url);
    const tile = dashboard.page.locator('.tile').filter({ hasText: 'Detections per second' });
    await dashboard.shows(tile, '12 dropped');
    const letters = tile.getByRole('link', { name: '2 dead letters' });
    expect(await letters.getAttribute('href')).toBe('#/dead-letters');
  });

  it('leads from an unknown address to the pages that exist', async () => {
    service = await ScriptedService.start({ view: view() });
    const dashboard = await open(service.url, { route: 'overveiw' });
    const main = dashboard.page.getByRole('main');
    await dashboard.shows(main, 'There is no such page');
    await main.getByRole('link', { name: 'Overview' }).click();
    await dashboard.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});

describeInBrowser('the plan', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it('is not balanced while cameras have no worker, and says in one line what it does not contain', async () => {
    service = await ScriptedService.start({
      view: {},
      answers: {
        '/api/cluster/plan': {
          ...planOf([]),
          balance: { deviation: 0, spread: 0, allocationSpread: 0, rebalancing: false },
          unplaced: [{ unitId: 'gate', reasons: { capacity: 1 } }],
          scores: [{ url: WORKER, load: 1, components: {}, allocated: 7, capacity: 7, rejects: 'capacity' }],
        },
      },
    });
    const dashboard = await open(service.url, { route: 'plan' });
    const main = dashboard.page.getByRole('main');
    await dashboard.shows(main, 'Cameras have no worker');
    await dashboard.shows(main, 'No: full');
    await dashboard.shows(main, 'What workers report is averaged over about 30 seconds.');
    await dashboard.shows(main, 'No steps. No camera is moving. No moves are waiting.');
    expect(await main.getByText(/Load is balanced|^Yes$|^Term/).count()).toBe(0);
    await dashboard.shows(main, '2 workers are ready and open, and 1 would hold everything.');
    await dashboard.shows(main, 'At least so many further cameras find a worker: Cars 7.');
    expect(await main.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Without a worker 1',
      'Workers after the plan',
    ]);
  });
});
