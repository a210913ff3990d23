import type { HistoryRange } from '@detector-cluster/dashboard-protocol';
import { waitFor } from '@detector-cluster/local-cluster';
import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { HOSTILE_TEXTS } from './support/hostile-texts.js';
import { keyed, model, recorded, subscription, worker } from './support/rows.js';
import { historyOf, ScriptedService } from './support/scripted-service.js';
import { hostileScript, labelled, planOf } from './support/scripts.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const MANY = 10_000;
/** Far more than a screen of rows is made of, far less than ten thousand rows. */
const MAX_ELEMENTS = 2_000;

/** A subscription of the model `people`. */
const of = (id: string, version: string) => ({ ...subscription(id), model: 'people', version });

describeInBrowser('the page of the dashboard', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it.each([1_280, 375])('shows hostile text as text, on every page (%s px)', async (width) => {
    service = await ScriptedService.start(hostileScript());
    const dashboard = await open(service.url, { width, expected: [/404/] });
    const { page } = dashboard;
    const [first] = HOSTILE_TEXTS;
    for (const route of [
      'overview',
      'cameras',
      'subscriptions',
      'models',
      'subscriptions?view=skipped',
      'events',
      'events?view=audit',
      'detections',
      'detections?view=search',
      'dead-letters',
      `worker?${new URLSearchParams({ url: `ws://w/${first}` })}`,
      `camera?${new URLSearchParams({ id: first })}`,
    ]) {
      await dashboard.goTo(route);
      await dashboard.shows(page.getByRole('main'), first);
      for (const details of await page.locator('main details > summary').all()) await details.click();
      expect({
        route,
        ...(await page.evaluate<object>(`({
          pwned: window.pwned,
          made: document.querySelectorAll('main script, main img:not([src^="blob:"]), main svg[onload], main a[href^="javascript:"]').length,
          tooWide: [document.documentElement, ...document.querySelectorAll('.history-frame')].filter(
            ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
          where: document.querySelector('nav [aria-current]').getBoundingClientRect().right <= innerWidth,
        })`)),
      }).toEqual({ route, pwned: undefined, made: 0, tooWide: 0, where: true });
      expect({ route, violations: await axeViolations(page) }).toEqual({ route, violations: [] });
    }
    await dashboard.shows(dashboard.banners, first);
    await dashboard.goTo('overview');
    await page
      .getByRole('article')
      .first()
      .getByRole('button', { name: /^Drain / })
      .click();
    await dashboard.dialog.waitFor();
    expect(await page.evaluate('window.pwned')).toBeUndefined();
  });

  it('says that subscriptions are loading until the service has sent them', async () => {
    const url = 'ws://w:1';
    service = await ScriptedService.start({
      view: {
        workers: { [url]: worker(url, { state: 'Offline', standing: 'draining', subscriptionCount: 0 }) },
        subscriptions: null,
      },
    });
    const dashboard = await open(service.url, { expected: [/404/] });
    const { page } = dashboard;
    const main = page.getByRole('main');
    for (const name of ['Subscriptions active', 'Detections per second', 'Lag'])
      await dashboard.shows(page.locator('.tile').filter({ hasText: name }), /–.*Loading…/);
    await dashboard.shows(dashboard.worker(url), /Draining/);
    await dashboard.goTo('subscriptions?explain=d%3Bc');
    await dashboard.shows(dashboard.dialog, /Loading…/);
    await dashboard.goTo('subscriptions');
    await dashboard.shows(main, /Loading subscriptions/);
    await dashboard.goTo('cameras');
    await dashboard.shows(main, /Loading cameras/);
    service.sendSubscriptions({ 'd;c': subscription('d;c', 'ws://other') });
    await dashboard.shows(main, /1 found/);
    await dashboard.goTo('overview');
    await dashboard.shows(dashboard.worker(url), /Drained/);
    await dashboard.shows(main, /All active|waiting/);
    await dashboard.goTo('subscriptions');
    await page.getByRole('navigation').getByText('1', { exact: true }).first().waitFor();
  });

  it('shows where versions of models run, and changes them only after a question', async () => {
    service = await ScriptedService.start({
      view: {
        models: { people: model('people', { former: 'v0', candidate: 'v2', share: 10 }) },
        subscriptions: keyed(
          [of('d;1', 'v1'), of('d;2', 'v2'), of('d;3', 'v1')],
          (row) => row.subscriptionIdentifier,
        ),
      },
      answers: { '/api/cluster/models/1/version': { accepted: true, changed: true } },
    });
    const dashboard = await open(service.url, { route: 'models' });
    const { page } = dashboard;
    const row = page.getByRole('row', { name: /people/ });
    await dashboard.shows(row, /v1.*Current.*2 of 3 subscriptions, all active/);
    await dashboard.shows(row, /v2.*Canary, 10 % of the cameras.*1 of 3 subscriptions, all active/);
    await dashboard.shows(row, /v0.*Former.*no camera/);
    const asked = page.waitForRequest((request) => request.method() === 'PUT');
    await row.getByRole('button', { name: 'Roll back…' }).click();
    await dashboard.shows(dashboard.dialog, /people: v0/);
    await dashboard.dialog.getByRole('button', { name: 'Change', exact: true }).click();
    expect((await asked).postDataJSON()).toEqual({ version: 'v0' });
    await dashboard.shows(dashboard.results, 'people changes to version v0.');
    service.change({
      models: { changed: { people: { current: 'v0', former: null, candidate: 'v2', share: 0 } } },
    });
    await dashboard.shows(row, /v2.*Rolled back/);
    expect(await row.getByRole('button').allTextContents()).toEqual(['Run on all cameras…']);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('needs only the files that its HTML names, because the service may be unavailable a moment later', async () => {
    service = await ScriptedService.start(hostileScript());
    const html = await (await fetch(service.url)).text();
    const dashboard = await open(service.url);
    const { page } = dashboard;
    await page.route('**/assets/**', (route) => {
      const named = html.includes(new URL(route.request().url()).pathname);
      return named ? route.continue() : route.abort();
    });
    await page.reload();
    await dashboard.untilLive();
    await page.locator('.history-frame canvas').first().waitFor();
  });

  it('shows the history of the cluster, in a time range that its address and its links keep', async () => {
    const asked: string[] = [];
    let lost = false;
    const hour = 3_600_000;
    const event = (age: number) => {
      const happened = Date.now() - age;
      const url = `ws://${age / hour}h`;
      return {
        eventId: `${happened}-0`,
        type: 'worker-online',
        at: new Date(happened).toISOString(),
        term: 1,
        url,
      };
    };
    service = await ScriptedService.start({
      view: {},
      events: [event(0)],
      detections: [labelled('OLD 1', 2 * hour), labelled('NEW 1', 60_000)],
      answers: {
        '/api/cluster/history': ({ range }: { range: HistoryRange }) => {
          asked.push(range);
          const points = [recorded([20, 80]), recorded([20, 80], { failovers: 1 }), recorded([20, 80])];
          return historyOf(range, ['ws://one:1', 'ws://two:2'], lost ? [] : points);
        },
        // The service knows more events than the page got at first, and the range decides how many it reads.
        '/api/cluster/events': { items: [event(0), event(0.5 * hour)], nextCursor: null },
      },
    });
    const dashboard = await open(service.url);
    const { page } = dashboard;
    const chart = (name: string) => page.getByRole('figure', { name, exact: true });
    for (const name of [
      'Detections per second: 12.5',
      'Lag: 40 ms',
      'Load: highest 80 %',
      'Subscriptions by status: 6 of 7 active',
    ])
      await chart(name).locator('canvas').waitFor();
    await dashboard.shows(chart('Load: highest 80 %').locator('.u-legend'), /Mean.*Highest/);
    expect(new Set(asked)).toEqual(new Set(['15m']));

    // As after Redis has lost its data.
    lost = true;
    await chart('Lag: –').waitFor();
    lost = false;
    await chart('Lag: 40 ms').waitFor();

    await page.getByLabel('Time range').selectOption('Last hour');
    await waitFor('the other range', TIMEOUT, async () => (asked.includes('1h') ? true : null));
    expect(page.url()).toMatch(/#\/overview\?range=1h$/);
    await page.reload();
    await dashboard.untilLive();
    expect(await page.getByLabel('Time range').inputValue()).toBe('1h');
    await page.getByRole('link', { name: 'Events' }).click();
    expect(page.url()).toMatch(/#\/events\?range=1h$/);
    await dashboard.shows(page.getByRole('listitem'), '0.5h');
    await dashboard.shows(page.getByRole('main'), 'There are no older events in this time range.');
    await page.getByRole('link', { name: 'Detections' }).click();
    await dashboard.shows(page.locator('.detection-card'), 'NEW 1');
    expect(await page.getByText('OLD 1').count()).toBe(0);
    await page.getByLabel('Time range').selectOption('Any time');
    await dashboard.shows(page.locator('.detection-card'), 'OLD 1');
    expect(page.url()).toMatch(/#\/detections$/);
  });

  it.each([1_280, 390])(
    'shows ten thousand subscriptions a part at a time, and sorts, filters and follows them (%s px)',
    async (width) => {
      const rows = Array.from({ length: MANY }, (_, n) =>
        subscription(`display-${n};camera-${n % 5_000}`, `ws://worker-${n % 50}:8000`),
      );
      service = await ScriptedService.start({
        view: { subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier) },
      });
      const dashboard = await open(service.url, { route: 'subscriptions', width });
      const { page } = dashboard;
      const table = page.getByRole('table', { name: 'Subscriptions' });
      const found = page.getByRole('main').getByRole('status');
      await table.getByText('display-49', { exact: true }).waitFor();
      expect(await table.getByRole('row').count()).toBe(51);
      await dashboard.shows(found, '10,000 of 10,000 subscriptions match');
      expect(await page.evaluate<number>(`document.querySelectorAll('*').length`)).toBeLessThan(MAX_ELEMENTS);
      expect(await axeViolations(page)).toEqual([]);
      expect(
        await page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`),
      ).toBe(0);
      await dashboard.button('Show more subscriptions').click();
      await table.getByText('display-99', { exact: true }).waitFor();

      await table.getByRole('button', { name: 'Display' }).click();
      await table.getByRole('button', { name: 'Display' }).click();
      await table.getByText(`display-${MANY - 1}`, { exact: true }).waitFor();
      expect(page.url()).toMatch(/#\/subscriptions\?sort=display%2Cdown$/);
      const sorted = table.getByRole('columnheader', { name: 'Display' });
      expect(await sorted.getAttribute('aria-sort')).toBe('descending');

      await page.getByRole('searchbox').fill('display-7777');
      await table.getByText('display-7777', { exact: true }).waitFor();
      await dashboard.shows(found, '1 of 10,000 subscriptions match');
      expect(await table.getByRole('row').count()).toBe(2);
      service.change({
        subscriptions: { set: { 'display-7777;camera-2777': { ...rows[7_777]!, status: 'failed' } } },
      });
      await dashboard.shows(table, 'Failed');
    },
  );

  it('says that all places for pages are taken, and starts when there is room', async () => {
    service = await ScriptedService.start({ ...hostileScript(), full: true });
    const dashboard = await open(service.url, { live: false });
    const main = dashboard.page.getByRole('main');
    await dashboard.shows(main, 'This process already serves as many pages as it can.');
    await dashboard.shows(main, /Next attempt in \d+ s/);
    expect(await dashboard.page.getByText('Not connected', { exact: true }).count()).toBe(1);
    service.makeRoom();
    await dashboard.untilLive();
  });

  it('leads from each view to the next', async () => {
    const [from, to] = ['ws://one:1', 'ws://two:1'];
    const [cameraId, displayId] = ['gate-7', 'display-9'];
    const rows = [subscription(`d;${cameraId}`, from), subscription('e;yard', from)];
    const asked: unknown[] = [];
    const entries = (entry: object) => (query: object) => {
      asked.push(query);
      return { items: [entry], nextCursor: null };
    };
    service = await ScriptedService.start({
      view: {
        workers: keyed([worker(from), worker(to)], ({ url }) => url),
        subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier),
        skipped: { [displayId]: { displayId, reason: 'no-camera', detail: '' } },
      },
      detections: [labelled('DC 0042', 60_000, `d;${cameraId}`), labelled('DC 0043', 60_000, 'e;yard')],
      answers: {
        '/api/cluster/plan': planOf([{ type: 'move', unitId: cameraId, from, to, reason: 'load' }]),
        '/api/cameras': entries({ cameraIdentifier: cameraId }),
        '/api/displays': entries({ displayId }),
      },
    });
    const dashboard = await open(service.url, { route: 'plan', expected: [/404/] });
    const { page } = dashboard;
    const main = page.getByRole('main');
    const follow = async (name: string, title: string, within = main) => {
      await within.getByRole('link', { name, exact: true }).first().click();
      await main.getByRole('heading', { level: 1, name: title }).waitFor();
    };
    const showsOneCamera = async () => {
      await dashboard.shows(main, '1 found');
      await main.getByRole('heading', { level: 2, name: cameraId }).waitFor();
    };

    await follow(cameraId, 'Cameras');
    await showsOneCamera();
    await follow('DC 0042', 'Detections');
    const cards = page.locator('.detection-card');
    await dashboard.shows(cards, 'DC 0042');
    expect(await cards.count()).toBe(1);
    await follow(cameraId, 'Cameras');
    await showsOneCamera();

    await dashboard.goTo('plan');
    await follow('two:1', 'two:1', page.getByRole('region', { name: 'Steps' }));

    await dashboard.goTo('subscriptions?view=skipped');
    await follow(displayId, 'Manage');
    await dashboard.shows(page.getByRole('table', { name: 'Displays' }), displayId);
    expect(await page.getByRole('searchbox').inputValue()).toBe(displayId);
    expect(asked).toMatchObject([{ text: displayId }]);
    await follow(displayId, 'Subscriptions');
    expect(await page.getByRole('searchbox').inputValue()).toBe(displayId);

    await dashboard.goTo('manage?kind=cameras');
    await follow(cameraId, 'Cameras');
    await showsOneCamera();

    await dashboard.goTo(`subscriptions?explain=d%3B${cameraId}`);
    await follow(cameraId, 'Cameras', dashboard.dialog);
    await showsOneCamera();
  });

  it.each([1_280, 375])(
    'names the time zone of its times on every page, and changes it (%s px)',
    async (width) => {
      service = await ScriptedService.start(hostileScript());
      const dashboard = await open(service.url, { width, timeZone: 'Asia/Kolkata', expected: [/404/] });
      const { page } = dashboard;
      for (const route of ['overview', 'events', 'detections', 'manage']) {
        await dashboard.goTo(route);
        await page.locator(`nav [aria-current=page][href^="#/${route}"]`).waitFor();
        await page.locator('.header').getByText('GMT+5:30').waitFor();
        expect(await page.getByText('Times in').first().isVisible()).toBe(width > 375);
      }
      expect(
        await page.evaluate(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`),
      ).toBe(true);
      await dashboard.goTo('detections?view=search&from=2026-01-01T00:00:00.000Z');
      const from = page.getByLabel('From', { exact: true });
      expect(await from.inputValue()).toMatch(/^2026-01-01T05:30/);
      await dashboard.button(/^Times in GMT\+5:30: switch to UTC$/).click();
      await page.locator('.header').getByText(/UTC$/).waitFor();
      expect(await from.inputValue()).toMatch(/^2026-01-01T00:00/);
      await from.fill('2026-02-03T04:05:06');
      await page.waitForURL(/from=2026-02-03T04%3A05%3A06/);
    },
  );

  it('has its title, its focus and its link in view before the browser draws a new page', async () => {
    service = await ScriptedService.start({ view: {} });
    const { page } = await open(service.url, { width: 375, expected: [/404/] });
    await page.getByText('No camera is wanted, no alerts', { exact: true }).waitFor();
    // The browser draws only what the test lets it draw.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.evaluate(`location.hash = '#/dead-letters'`);
    await page.getByRole('heading', { level: 1, name: 'Dead letters' }).waitFor();
    expect(
      await page.evaluate(`({
        title: document.title,
        focus: document.activeElement.id,
        inView: document.querySelector('nav [aria-current=page]').getBoundingClientRect().right <= innerWidth,
      })`),
    ).toEqual({ title: 'Dead letters · Detector cluster', focus: 'main', inView: true });
  });

  it('can be used with the keyboard alone', async () => {
    const rows = Array.from({ length: MANY }, (_, n) => subscription(`display-${n};camera-${n}`));
    const { answers = {} } = hostileScript();
    service = await ScriptedService.start({
      view: {
        workers: { 'ws://w': worker('ws://w') },
        subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier),
      },
      answers: {
        ...answers,
        '/api/cluster/workers/ws%3A%2F%2Fw/drain': {
          accepted: true,
          changed: true,
          cameras: 0,
          withoutRoom: 0,
          deadline: 300_000,
        },
      },
    });
    const dashboard = await open(service.url, { expected: [/404/] });
    const { page } = dashboard;
    const { keyboard } = page;
    const focused = () =>
      page.evaluate<string>(
        `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
      );
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses++) {
        if ((await focused()) === name) return;
        await keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${name}`);
    };
    await keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await keyboard.press('Enter');
    await tabTo('Drain w');
    await keyboard.press('Enter');
    expect(await focused()).toBe('Cancel');
    await keyboard.press('Escape');
    await dashboard.dialog.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Drain w');
    await keyboard.press('Enter');
    await tabTo('Drain');
    await keyboard.press('Enter');
    await dashboard.shows(dashboard.results, 'w is being drained.');
    expect(await focused()).toBe('Drain w');

    await dashboard.goTo('subscriptions');
    await page.getByRole('table', { name: 'Subscriptions' }).waitFor();
    await tabTo('display-0');
    await keyboard.press('Enter');
    await dashboard.shows(dashboard.dialog, 'Explain the subscription');
    await keyboard.press('Escape');
    await dashboard.dialog.waitFor({ state: 'detached' });
    expect(await focused()).toBe('display-0');
  });
});
