import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { REFUSALS } from '../support/page-complaints.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { keyed, subscription, worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';
import { labelled } from './support/scripts.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const event = (minutes: number, type: string, details: object) => ({
  eventId: `${Date.now() - minutes * 60_000}-0`,
  type,
  at: minutesAgo(minutes),
  term: 1,
  ...details,
});

describeInBrowser('the wall of cameras on the dashboard', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

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
      await dashboard.shows(page.getByRole('main'), `${count} found`);
      return cards.getByRole('heading').allTextContents();
    };
    const choose = (filter: string, value: string) =>
      page.getByLabel(filter, { exact: true }).selectOption(value);
    expect(await shown(3)).toEqual(['roof', 'gate', 'yard']);
    await dashboard.shows(page.getByRole('main'), '1 with a problem first');
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
    expect(page.url()).toMatch(/worker=ws%3A%2F%2Ftwo%3A1&status=recovering$/);
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

  it('does not say that there is no recent detection before the service has answered', async () => {
    const rows = { 'd;gate': subscription('d;gate') };
    service = await ScriptedService.start({ view: { subscriptions: rows } });
    const dashboard = await open(service.url);
    const release = await dashboard.holdBack('**/api/detections/stats*');
    await dashboard.goTo('cameras');
    const card = dashboard.page.getByRole('listitem').filter({ hasText: 'gate' });
    await dashboard.shows(card, 'Its last detection is not known yet');
    release();
    await dashboard.shows(card, 'No recent detection');
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

  it.each([1_280, 390])(
    'shows on one axis what happened to a camera, with the pictures of its moments (%s px)',
    async (width) => {
      const item = labelled('DC 0042', 300_000, 'display;gate');
      const asked: Record<string, unknown>[] = [];
      service = await ScriptedService.start({
        view: {
          subscriptions: keyed(
            [subscription('display;gate', 'ws://gpu-2:8000')],
            (row) => row.subscriptionIdentifier,
          ),
        },
        answers: {
          '/api/cluster/events': (query: Record<string, unknown>) => {
            asked.push(query);
            const items =
              query.text === undefined
                ? [
                    event(40, 'redis-unavailable', {
                      since: minutesAgo(45),
                      until: minutesAgo(41),
                      processId: 'p',
                    }),
                  ]
                : [
                    event(30, 'camera-moved', {
                      cameraId: 'gate',
                      from: 'ws://gpu-1:8000',
                      to: 'ws://gpu-2:8000',
                      reason: 'drain',
                    }),
                  ];
            return { items, nextCursor: null };
          },
          '/api/detections/stats': { history: { stored: 1, dropped: 0, waiting: 0 } },
          '/api/detections': {
            items: [5, 6, 50].map((minutes) => ({
              ...item,
              detectionId: String(minutes),
              detectedAt: minutesAgo(minutes),
              hasPicture: minutes === 5,
              pictureId: minutes === 50 ? null : 'gone',
            })),
            nextCursor: null,
          },
        },
      });
      const dashboard = await open(service.url, { route: 'cameras', width, expected: REFUSALS });
      const { page } = dashboard;
      await page.getByRole('link', { name: 'Timeline' }).click();
      await page.getByRole('heading', { level: 1, name: 'gate' }).waitFor();
      const lane = (name: string) => page.locator('.timeline-lane').filter({ hasText: name });
      await dashboard.shows(lane('Worker'), /2; the last: gpu-2:8000: .* to /);
      expect(await lane('Worker').locator('rect').count()).toBe(2);
      await dashboard.shows(lane('Status'), 'Active: Streaming');
      await dashboard.shows(lane('Outages'), 'Redis was unavailable');
      await dashboard.shows(lane('Events'), 'Moved');
      await dashboard.shows(lane('Detections'), /the last: Detection/);
      const texts = await lane('Detections').locator('title').allTextContents();
      expect(texts.filter((text) => text.startsWith('No detection'))).not.toEqual([]);
      const cards = page.locator('.detection-card');
      expect(await cards.count()).toBe(3);
      // Pictures are fetched in view.
      await cards.first().scrollIntoViewIfNeeded();
      await cards.first().locator('img').waitFor();
      await cards.nth(1).scrollIntoViewIfNeeded();
      await dashboard.shows(cards.nth(1), 'No picture of this moment');
      expect(asked.map(({ text, type }) => [text, typeof type])).toEqual([
        [undefined, 'undefined'],
        ['gate', 'undefined'],
        [undefined, 'string'],
      ]);
      expect(await axeViolations(page)).toEqual([]);
      expect(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      ).toBe(0);
      // What it does while the page hears nothing is not known.
      await service.stop();
      await dashboard.shows(lane('Status'), 'Nothing is recorded.');
      await dashboard.shows(lane('Worker'), 'gpu-2:8000');
    },
  );
});
