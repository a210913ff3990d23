import type { HistoryRange } from '@detector-cluster/dashboard-protocol';
import { waitFor } from '@detector-cluster/local-cluster';
import { afterEach, expect, it, jest } from '@jest/globals';
import type { DeadLetter } from '../../../apps/dashboard/src/api/cluster-types.js';
import { TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { HOSTILE_TEXTS } from './support/hostile-texts.js';
import { backend, keyed, recorded, subscription, worker } from './support/rows.js';
import { historyOf, ScriptedService, type Script } from './support/scripted-service.js';

jest.setTimeout(3 * TIMEOUT);

const MANY = 10_000;
/** Far more than a screen of rows is made of, far less than ten thousand rows. */
const MOST_ELEMENTS = 2_000;
/** A machine that runs other tests leaves out frames; one that draws ten thousand rows stands still. Milliseconds. */
const LONGEST_FRAME = 1_500;

const at = new Date().toISOString();

/** Each text in each place where a cluster, or who writes to its stores, could put it. */
function hostileScript(): Script {
  const texts = HOSTILE_TEXTS;
  const detections = texts.map((text, index) => ({
    detectionId: `${text}${index}`,
    subscriptionIdentifier: `${text};${text}`,
    workerUrl: `ws://w/${text}`,
    processId: text,
    receivedAt: at,
    redelivered: true,
    detectedAt: text,
    label: text,
    confidence: 0.914,
    boxes: [[0.1, 0.1, 0.5, 0.5] as const],
    pictureId: text,
    summary: JSON.stringify({ detection: { licensePlateText: text } }),
  }));
  return {
    view: {
      workers: keyed(
        texts.map((text) => worker(`ws://w/${text}`, { models: [...texts], connectedAt: text })),
        ({ url }) => url,
      ),
      processes: keyed(
        texts.map((text) => backend(text, { role: 'master', partitions: [0, 1, 5], startedAt: text })),
        ({ processId }) => processId,
      ),
      subscriptions: keyed(
        texts.map((text) => ({ ...subscription(`${text};${text}`, `ws://w/${text}`), reason: text })),
        ({ subscriptionIdentifier }) => subscriptionIdentifier,
      ),
      skipped: keyed(
        texts.map((text) => ({ displayId: text, reason: text, detail: text })),
        ({ displayId }) => displayId,
      ),
      rebalances: { [at]: { by: texts[0]!, since: at, moved: 1, left: 1, endedAt: null } },
      sources: { database: { name: 'database', ok: false, since: at, problem: texts[0] } },
    },
    events: texts.flatMap((text, index) => [
      { eventId: `${index}-0`, type: text, at, term: 1, [text]: text },
      { eventId: `${index}-1`, type: 'camera-moved', at, term: 1, cameraId: text, from: text, to: text },
    ]),
    detections,
    answers: {
      '/api/cluster/history': ({ range }: { range: HistoryRange }) =>
        historyOf(range, texts, [recorded(texts.map(() => 50)), recorded(texts.map(() => 60))]),
      '/api/detections': {
        items: detections,
        nextCursor: null,
      },
      '/api/detections/stats': { history: { stored: 1, dropped: 1_234, waiting: 0 } },
      '/api/cluster/dead-letters': {
        nextCursor: null,
        items: texts.map((text, index) => ({
          letterId: `1-${index}-0`,
          detectionId: text,
          workerUrl: text,
          subscriptionIdentifier: text,
          frame: text,
          audience: text as DeadLetter['audience'],
          error: text,
          attempts: 1,
          failedAt: at,
          processId: text,
        })),
      },
    },
  };
}

const planOf = (actions: readonly object[]) => ({
  term: 1,
  actions,
  held: [],
  moves: [],
  unplaced: [],
  scores: [],
  balance: { deviation: 0, spread: 0, allocationSpread: 0, rebalancing: true },
  frozen: false,
  omitted: { actions: 0, held: 0, unplaced: 0, moves: 0 },
});

const labelled = (label: string, age: number, subscriptionIdentifier = 'display;camera') => ({
  ...hostileScript().detections![0]!,
  detectionId: label,
  subscriptionIdentifier,
  receivedAt: new Date(Date.now() - age).toISOString(),
  label,
});

/** One process per age, in minutes. */
const startedAgo = (...ages: readonly number[]) =>
  keyed(
    ages.map((age, n) =>
      backend(`backend-${n}`, { startedAt: new Date(Date.now() - age * 60_000).toISOString() }),
    ),
    ({ processId }) => processId,
  );

describeInBrowser('the page of the dashboard', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it.each([1_280, 375])('shows hostile text as text, on every page (%s px)', async (width) => {
    service = await ScriptedService.start(hostileScript());
    const dashboard = await open(service.url, { width });
    const { page } = dashboard;
    const [first] = HOSTILE_TEXTS;
    for (const route of [
      'overview',
      'cameras',
      'subscriptions',
      'subscriptions?view=skipped',
      'events',
      'detections',
      'detections?view=search',
      'dead-letters',
      `worker?${new URLSearchParams({ url: `ws://w/${first}` })}`,
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
    await page.getByText('Loading…', { exact: true }).waitFor();
    await dashboard.shows(dashboard.worker(url), /Draining/);
    await dashboard.goTo('subscriptions?explain=d%3Bc');
    await dashboard.shows(dashboard.dialog, /Loading…/);
    await dashboard.goTo('subscriptions');
    await dashboard.shows(main, /Loading subscriptions/);
    await dashboard.goTo('cameras');
    await dashboard.shows(main, /Loading cameras/);
    service.sendSubscriptions({ 'd;c': subscription('d;c', 'ws://other') });
    await dashboard.shows(main, /1 shown/);
    await dashboard.goTo('overview');
    await dashboard.shows(dashboard.worker(url), /Drained/);
    await dashboard.shows(main, /All desired|waiting/);
    await dashboard.goTo('subscriptions');
    await page.getByRole('navigation').getByText('1', { exact: true }).first().waitFor();
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
        '/api/cluster/events': { items: [event(0.5 * hour), event(0)], nextCursor: null },
      },
    });
    const dashboard = await open(service.url);
    const { page } = dashboard;
    const chart = (name: string) => page.getByRole('figure', { name, exact: true });
    for (const name of [
      'Detections per second: 12.5',
      'Lag: 40 ms',
      'Load by worker: highest 80 %',
      'Subscriptions by status: 6 of 7 active',
      'New masters: 1',
    ])
      await chart(name).locator('canvas').waitFor();
    await dashboard.shows(chart('Load by worker: highest 80 %').locator('.u-legend'), /one:1.*two:2/);
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

  it('scrolls, filters and follows ten thousand subscriptions', async () => {
    const rows = Array.from({ length: MANY }, (_, n) =>
      subscription(`display-${n};camera-${n % 5_000}`, `ws://worker-${n % 50}:8000`),
    );
    service = await ScriptedService.start({
      view: { subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier) },
    });
    const dashboard = await open(service.url, { route: 'subscriptions' });
    const { page } = dashboard;
    const grid = page.getByRole('grid');
    await grid.getByText('display-0', { exact: true }).waitFor();
    const elements = () => page.evaluate<number>(`document.querySelectorAll('*').length`);
    expect(await elements()).toBeLessThan(MOST_ELEMENTS);

    const scrolling = await page.evaluate<{ longest: number; frames: number }>(`(async () => {
      const grid = document.querySelector('[role=grid]');
      const step = grid.scrollHeight / 60;
      const gaps = [];
      let before = performance.now();
      for (let frame = 0; frame < 60; frame++) {
        grid.scrollTop += step;
        const now = await new Promise(requestAnimationFrame);
        gaps.push(now - before);
        before = now;
      }
      return { longest: Math.round(Math.max(...gaps)), frames: gaps.length };
    })()`);
    console.info(
      `longest gap of ${scrolling.frames} frames while 10,000 rows scroll by: ${scrolling.longest} ms`,
    );
    expect(scrolling.longest).toBeLessThan(LONGEST_FRAME);
    await grid.getByText(`display-${MANY - 1}`, { exact: true }).waitFor();
    expect(await elements()).toBeLessThan(MOST_ELEMENTS);

    await page.getByRole('searchbox').fill('display-7777');
    await grid.getByText('display-7777', { exact: true }).waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('2');
    service.change({
      subscriptions: { set: { 'display-7777;camera-2777': { ...rows[7_777]!, status: 'failed' } } },
    });
    await dashboard.shows(grid, 'Failed');
  });

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

  it('shows a detection with the picture of its moment, or says that it is another one', async () => {
    const item = {
      ...hostileScript().detections![0]!,
      subscriptionIdentifier: 'display;gate',
      label: 'DC 0042',
      redelivered: false,
    };
    service = await ScriptedService.start({
      view: {},
      detections: [
        { ...item, detectionId: '1', pictureId: 'kept' },
        { ...item, detectionId: '2', pictureId: 'gone', label: 'DC 0043' },
        { ...item, detectionId: '3', pictureId: null, label: 'DC 0044', confidence: null },
      ],
    });
    const dashboard = await open(service.url, { route: 'detections' });
    const card = (text: string) => dashboard.page.locator('.detection-card').filter({ hasText: text });
    await dashboard.shows(card('DC 0042'), /91 %/);
    await card('DC 0042').getByRole('img', { name: 'Camera gate' }).waitFor();
    expect(await card('DC 0042').locator('.picture-boxes rect').count()).toBe(1);
    expect(await card('DC 0042').getByText('No picture of this moment').count()).toBe(0);
    for (const text of ['DC 0043', 'DC 0044']) {
      await dashboard.shows(card(text), /No picture of this moment\. Latest: \d\d:\d\d:\d\d/);
      expect(await card(text).locator('.picture-boxes').count()).toBe(0);
    }
    expect(await card('DC 0044').getByText('%').count()).toBe(0);
  });

  it('searches the stored detections by the parameters of its address', async () => {
    const item = { ...hostileScript().detections![0]!, receivedAt: at, detectedAt: at };
    const found = (label: string) => ({ ...item, detectionId: label, label });
    const asked: Record<string, unknown>[] = [];
    service = await ScriptedService.start({
      view: {},
      answers: {
        '/api/detections': (query: Record<string, unknown>) => {
          asked.push(query);
          if (query.camera !== 'gate') return { items: [], nextCursor: null };
          return query.cursor === undefined
            ? { items: [found('DC 0042')], nextCursor: 'next' }
            : { items: [found('DC 0041')], nextCursor: null };
        },
        '/api/detections/stats': { history: { stored: 1, dropped: 1_234, waiting: 0 } },
      },
    });
    const dashboard = await open(service.url, { route: 'detections?range=1h' });
    const { page } = dashboard;
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await dashboard.shows(page.getByRole('main'), 'No detection matches');
    await dashboard.shows(page.getByRole('main'), 'could not keep 1,234 detections');
    await page.getByLabel('Camera', { exact: true }).fill(' gate ');
    await page.getByLabel('Plate or label', { exact: true }).fill('0042');
    await page.keyboard.press('Enter');
    await dashboard.shows(page.locator('.detection-card'), 'DC 0042');
    expect(page.url()).toContain('#/detections?view=search&camera=gate&label=0042&range=1h');
    await dashboard.button('Show older detections').click();
    await dashboard.shows(page.locator('.detection-card'), 'DC 0041');
    await page.reload();
    await dashboard.shows(page.locator('.detection-card'), 'DC 0042');
    expect(await page.getByLabel('Camera', { exact: true }).inputValue()).toBe('gate');
    const from = asked.map((query) => (Date.now() - Date.parse(String(query.from))) / 3_600_000);
    expect(from.every((hours) => hours > 0.99 && hours < 1.1)).toBe(true);
    expect(asked.find(({ cursor }) => cursor === 'next')).toMatchObject({ camera: 'gate', label: '0042' });
  });

  it('searches detections between two times, and reports invalid times', async () => {
    const asked: Record<string, string>[] = [];
    service = await ScriptedService.start({
      view: {},
      answers: {
        '/api/detections': (query: Record<string, string>) => {
          asked.push(query);
          return { items: [], nextCursor: null };
        },
        '/api/detections/stats': { history: { stored: 1, dropped: 0, waiting: 0 } },
      },
    });
    const dashboard = await open(service.url, {
      route: 'detections?view=search&range=1h',
      timeZone: 'Asia/Kolkata',
    });
    const { page } = dashboard;
    const main = page.getByRole('main');
    await dashboard.shows(main, 'No detection matches');
    await page.getByLabel('From').fill('2026-11-24T15:30:00');
    await page.getByLabel('To', { exact: true }).fill('2026-11-24T16:30:00');
    const times = { from: '2026-11-24T10:00:00.000Z', to: '2026-11-24T11:00:00.000Z' };
    await waitFor('the search', TIMEOUT, async () => (asked.at(-1)?.to === undefined ? null : true));
    expect(asked.at(-1)).toMatchObject(times);
    const hash = new URL(page.url()).hash;
    expect(Object.fromEntries(new URLSearchParams(hash.split('?')[1]))).toEqual({ view: 'search', ...times });
    await page.reload();
    await dashboard.shows(main, 'No detection matches');
    expect(await page.getByLabel('From').inputValue()).toMatch(/^2026-11-24T15:30/);
    expect(asked.at(-1)).toMatchObject(times);

    const searches = asked.length;
    await page.getByLabel('To', { exact: true }).fill('2026-11-24T15:30:00');
    await dashboard.shows(main, '“To” must be after “From”.');
    expect(await main.getByText('No detection matches').count()).toBe(0);
    await dashboard.goTo('detections?view=search&range=1h&to=2026-11-24T11:00:00.000Z');
    await dashboard.shows(main, 'Choose a time range, or “From” and “To”, not both.');
    await dashboard.goTo('detections?view=search&from=yesterday');
    await dashboard.shows(main, '“From” is not a time.');
    expect(asked).toHaveLength(searches);
    await page.getByLabel('Time range').selectOption('24h');
    await dashboard.shows(main, 'No detection matches');
    expect(asked.at(-1)).not.toHaveProperty('to');
  });

  it('filters and sorts the dead letters, and acts only on those that are shown', async () => {
    const asked: Record<string, string>[] = [];
    const posted: unknown[] = [];
    const [letter] = (hostileScript().answers!['/api/cluster/dead-letters'] as { items: object[] }).items;
    service = await ScriptedService.start({
      view: {},
      answers: {
        '/api/cluster/dead-letters': (query: Record<string, string>) => {
          asked.push(query);
          const items =
            query.camera === 'nowhere' ? [] : [{ ...letter, error: `Error: ${query.text ?? ''}` }];
          return { items, nextCursor: null };
        },
      },
    });
    const dashboard = await open(service.url, { route: 'dead-letters' });
    const { page } = dashboard;
    const main = page.getByRole('main');
    await page.route('**/dead-letters/replay', async (route) => {
      posted.push(route.request().postDataJSON());
      await route.fulfill({ json: { replayed: 1, left: [], gone: [] } });
    });
    await dashboard.button('Replay all…').waitFor();
    expect(asked).toEqual([{ limit: '100' }]);
    await page.getByLabel('Text in the error').fill('no space');
    await dashboard.shows(main, 'Error: no space');
    await page.getByRole('searchbox', { name: 'Worker' }).fill('gpu-1');
    await page.getByLabel('What failed').selectOption('owner');
    await page.getByLabel('Order').selectOption('newest');
    await page.getByLabel('From').fill('2026-11-24T10:00:00');
    await waitFor('all filters', TIMEOUT, async () =>
      Object.keys(asked.at(-1)!).length === 6 ? true : null,
    );
    const expected = {
      limit: '100',
      text: 'no space',
      worker: 'gpu-1',
      audience: 'owner',
      sort: '-failedAt',
    };
    expect(asked.at(-1)).toEqual({ ...expected, from: expect.stringMatching(/^2026-11-24T/) });
    await page.reload();
    await dashboard.shows(main, 'Error: no space');
    expect(asked.at(-1)).toMatchObject(expected);
    expect(await dashboard.button('Drop all…').count()).toBe(0);
    await dashboard.act('Replay shown…', 'Replay');
    await dashboard.shows(dashboard.results, '1 letter queued for delivery.');
    expect(posted).toEqual([{ ids: ['1-0-0'] }]);
    await page.getByRole('searchbox', { name: 'Camera' }).fill('nowhere');
    await dashboard.shows(main, 'No dead letter matches the filter');
  });

  it('fetches pictures of the cameras that are in view, and no others', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => subscription(`display-${n};camera-${n}`));
    rows[0] = { ...rows[0]!, status: 'recovering', reason: 'camera-offline' };
    service = await ScriptedService.start({
      view: { subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier) },
    });
    const dashboard = await open(service.url, { live: true });
    const { page } = dashboard;
    const asked = new Set<string>();
    page.on('request', (sent) => {
      const [, camera] = /cameras\/([^/]+)\/image/.exec(sent.url()) ?? [];
      if (camera !== undefined) asked.add(camera);
    });
    await dashboard.goTo('cameras');
    await page.getByRole('img', { name: 'Latest picture of camera camera-1', exact: true }).waitFor();
    await dashboard.shows(page.getByRole('listitem'), 'No picture from the camera');
    await page.waitForTimeout(1_500);
    expect(asked.has('camera-0')).toBe(false);
    expect(asked.has('camera-50')).toBe(false);
    expect(asked.size).toBeLessThan(20);
    await page.getByText('camera-50', { exact: true }).scrollIntoViewIfNeeded();
    await page.getByRole('img', { name: 'Latest picture of camera camera-50', exact: true }).waitFor();
    expect(asked.size).toBeLessThan(45);
    await dashboard.goTo('overview');
    await page.locator('.tiles').waitFor();
    asked.clear();
    await page.waitForTimeout(6_000);
    expect(asked.size).toBe(0);
  });

  it('filters the wall of cameras by status, worker and model', async () => {
    const [one, two] = ['ws://one:1', 'ws://two:1'];
    const rows = [
      { ...subscription('d;gate', one), model: 'plates' },
      { ...subscription('d;yard', two), model: 'people' },
      { ...subscription('e;yard', two), model: 'plates' },
      { ...subscription('d;roof', two), model: 'people', status: 'recovering' as const },
    ];
    service = await ScriptedService.start({
      view: {
        workers: keyed([worker(one), worker(two)], ({ url }) => url),
        subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier),
      },
    });
    const dashboard = await open(service.url, { route: 'cameras' });
    const { page } = dashboard;
    const cards = page.getByRole('list', { name: 'Cameras' }).getByRole('listitem');
    const shown = async (count: number) => {
      await dashboard.shows(page.getByRole('main'), `${count} shown`);
      return cards.getByRole('heading').allTextContents();
    };
    const choose = (filter: string, value: string) =>
      page.getByLabel(filter, { exact: true }).selectOption(value);
    expect(await shown(3)).toEqual(['gate', 'roof', 'yard']);
    await choose('Model', 'plates');
    expect(await shown(2)).toEqual(['gate', 'yard']);
    await dashboard.shows(cards, 'people, plates');
    expect(page.url()).toMatch(/model=plates$/);

    await choose('Worker', 'two:1');
    expect(await shown(1)).toEqual(['yard']);
    await choose('Model', '');
    expect(await shown(2)).toEqual(['roof', 'yard']);
    expect(page.url()).toMatch(/worker=ws%3A%2F%2Ftwo%3A1$/);

    await choose('Status', 'recovering');
    expect(await shown(1)).toEqual(['roof']);
    expect(page.url()).toMatch(/status=recovering&worker=ws%3A%2F%2Ftwo%3A1$/);
    await choose('Worker', 'one:1');
    await dashboard.shows(page.getByRole('main'), 'No camera matches the filter');
  });

  it('shows the last detection of each camera on the wall', async () => {
    const rows = ['d;gate', 'd;yard'].map((id) => subscription(id));
    service = await ScriptedService.start({
      view: { subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier) },
      detections: [labelled('DC 0042', 240_000, 'd;gate'), labelled('DC 0043', 120_000, 'd;gate')],
    });
    const dashboard = await open(service.url, { route: 'cameras' });
    const card = (camera: string) =>
      dashboard.page
        .getByRole('listitem')
        .filter({ has: dashboard.page.getByRole('heading', { name: camera }) });
    await dashboard.shows(card('gate'), /DC 0043 2 min .*ago/);
    expect(await card('gate').getByText('DC 0042').count()).toBe(0);
    await dashboard.shows(card('yard'), 'No recent detection');
  });

  it('takes the last detection of cameras in view from those that the service keeps', async () => {
    const rows = Array.from({ length: 60 }, (_, n) => subscription(`d;camera-${n}`));
    const asked: Record<string, string>[] = [];
    service = await ScriptedService.start({
      view: { subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier) },
      detections: [labelled('live', 60_000, 'd;camera-1')],
      answers: {
        '/api/detections': (query: Record<string, string>) => {
          asked.push(query);
          const kept = query.camera === 'camera-2' ? [] : [labelled('DC 0007', 180_000, `d;${query.camera}`)];
          return { items: kept, nextCursor: null };
        },
        '/api/detections/stats': { history: { stored: 1, dropped: 0, waiting: 0 } },
      },
    });
    const dashboard = await open(service.url, { route: 'cameras' });
    const { page } = dashboard;
    const card = (camera: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: camera, exact: true }) });
    await dashboard.shows(card('camera-0'), /DC 0007 3 min .*ago/);
    await dashboard.shows(card('camera-1'), /live 1 min .*ago/);
    await dashboard.shows(card('camera-2'), 'No recent detection');
    await page.waitForTimeout(1_500);
    expect(asked[0]).toMatchObject({ limit: '1' });
    const cameras = asked.map(({ camera }) => camera);
    expect(cameras).not.toContain('camera-1');
    expect(cameras).not.toContain('camera-50');
    expect(cameras.length).toBeLessThan(30);
    await page.getByText('camera-50', { exact: true }).scrollIntoViewIfNeeded();
    await dashboard.shows(card('camera-50'), 'DC 0007');
    await page.getByText('camera-0', { exact: true }).scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    expect(asked.filter(({ camera }) => camera === 'camera-0')).toHaveLength(1);
  });

  it('shows how far a drain has come, and that a worker is drained', async () => {
    const url = 'ws://w';
    const draining = worker(url, { standing: 'draining', drainTotal: 7, subscriptionCount: 3 });
    service = await ScriptedService.start({ view: { workers: { [url]: draining } } });
    const dashboard = await open(service.url);
    const card = dashboard.page.getByRole('article');
    await dashboard.shows(card, 'Draining, 3 of 7 left');
    service.change({ workers: { set: { [url]: { ...draining, state: 'Suspect', subscriptionCount: 0 } } } });
    await dashboard.shows(card, 'Draining, 0 of 7 left');
    service.change({ workers: { set: { [url]: { ...draining, subscriptionCount: 0 } } } });
    await dashboard.shows(card, 'Drained');
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
      await dashboard.shows(main, '1 shown');
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

  it('shows how far a rebalance has come that any page requested, and who it was', async () => {
    const since = new Date(Date.now() - 5_000).toISOString();
    const rebalance = { by: 'anna', since, moved: 0, left: 2, endedAt: null };
    service = await ScriptedService.start({
      view: { rebalances: { [since]: rebalance } },
      answers: { '/api/cluster/plan': planOf([]) },
    });
    const dashboard = await open(service.url);
    const { page } = dashboard;
    await page.getByText('Rebalance by anna: 0 moved, at least 2 to go').waitFor();
    service.change({ rebalances: { set: { [since]: { ...rebalance, moved: 1, left: 1 } } } });
    await page.getByText('Rebalance by anna: 1 moved, at least 1 to go').waitFor();
    await page.reload();
    await page.getByText('Rebalance by anna: 1 moved, at least 1 to go').click();
    await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor();
    const endedAt = new Date().toISOString();
    service.change({ rebalances: { set: { [since]: { ...rebalance, moved: 2, left: 0, endedAt } } } });
    await page.getByText('Rebalance by anna: 2 cameras moved').waitFor();
  });

  it('shows how far a rolling restart has come, and nothing after a single start', async () => {
    service = await ScriptedService.start({ view: { processes: startedAgo(4, 90, 90) } });
    const dashboard = await open(service.url);
    const processes = dashboard.page.getByRole('region', { name: 'Backend processes' });
    await dashboard.process('backend-0').waitFor();
    expect(await processes.getByText(/restarted/).count()).toBe(0);
    service.change({ processes: { set: startedAgo(12, 4, 90) } });
    await dashboard.shows(processes, '2 of 3 restarted');
    service.change({ processes: { set: startedAgo(12, 4, 0) } });
    await processes.getByText(/restarted/).waitFor({ state: 'detached' });
  });

  it('says which operator has done what', async () => {
    service = await ScriptedService.start({
      view: {},
      events: [
        { type: 'operator-action', by: 'anna', action: 'workersCordon', target: 'gpu-1:8000' },
        { type: 'operator-action', by: 'ben', action: 'clusterRebalance', target: null },
      ].map((action, index) => ({ ...action, eventId: `1-${index}`, at, term: 1 })),
    });
    const dashboard = await open(service.url, { route: 'events' });
    const lines = dashboard.page.locator('.event-timeline > li');
    await dashboard.shows(lines, 'anna cordoned worker gpu-1:8000.');
    await dashboard.shows(lines, 'ben requested a rebalance.');
    await dashboard.page.getByRole('searchbox').fill('anna');
    await lines.filter({ hasText: 'ben' }).waitFor({ state: 'detached' });
    expect(await lines.count()).toBe(1);
  });

  it.each([1_280, 375])('names the time zone of its times on every page (%s px)', async (width) => {
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
  });

  it.each([true, false])('leads to the search if the service keeps detections (%s)', async (keeps) => {
    let asked = 0;
    service = await ScriptedService.start({
      view: {},
      answers: {
        '/api/detections/stats': () => {
          asked++;
          return { history: keeps ? { stored: 7, dropped: 0, waiting: 0 } : null };
        },
        '/api/detections': { items: [], nextCursor: null },
      },
    });
    const dashboard = await open(service.url, { route: 'detections?range=1h' });
    const main = dashboard.page.getByRole('main');
    await dashboard.shows(main, 'No detections since this page was opened');
    await waitFor('the answer', TIMEOUT, async () => (asked === 1 ? true : null));
    const link = main.getByRole('link', { name: 'Search earlier detections' });
    if (keeps) {
      await link.click();
      expect(dashboard.page.url()).toMatch(/#\/detections\?view=search&range=1h$/);
    } else {
      await dashboard.page.waitForTimeout(500);
      expect(await link.count()).toBe(0);
    }
  });

  it('can be used with the keyboard alone', async () => {
    const rows = Array.from({ length: MANY }, (_, n) => subscription(`display-${n};camera-${n}`));
    const { answers = {} } = hostileScript();
    service = await ScriptedService.start({
      view: {
        workers: { 'ws://w': worker('ws://w') },
        subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier),
      },
      answers: { ...answers, '/api/cluster/workers/ws%3A%2F%2Fw/drain': { accepted: true, changed: true } },
    });
    const dashboard = await open(service.url);
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
    await page.getByRole('grid').waitFor();
    await tabTo('display-0');
    await keyboard.press('Control+End');
    await page
      .getByRole('grid')
      .getByText(`display-${MANY - 1}`, { exact: true })
      .waitFor();
    await keyboard.press('Home');
    expect(await focused()).toBe(`display-${MANY - 1}`);
  });
});
