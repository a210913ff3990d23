import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { keyed, subscription, worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const ONE = 'ws://gpu-1:8000';
const TWO = 'ws://gpu-2:8000';
const NAME = 'Rack 7 beside the loading dock of the depot';
const SHOWN = `${NAME} (gpu-1:8000)`;

const event = (number: number, type: string, more: object) => ({
  eventId: `${1_000 + number}-0`,
  type,
  at: new Date().toISOString(),
  term: 1,
  ...more,
});

const score = (url: string) => ({
  url,
  load: 0.5,
  allocated: 1,
  capacity: 10,
  components: { allocation: 0.1, cpu: null, memory: null, gpu: null, gpuMemory: null },
  rejects: null,
});

const start = () =>
  ScriptedService.start({
    view: {
      workers: { [ONE]: worker(ONE, { name: NAME }), [TWO]: worker(TWO, { standing: 'cordoned' }) },
      subscriptions: keyed(
        [subscription('d1;hall', ONE), subscription('d2;gate', TWO)],
        ({ subscriptionIdentifier }) => subscriptionIdentifier,
      ),
    },
    events: [
      event(1, 'camera-moved', { cameraId: 'hall', from: TWO, to: ONE, reason: 'drain' }),
      event(2, 'operator-action', { by: 'anna', action: 'workersCordon', target: ONE }),
      event(3, 'worker-online', { url: TWO }),
    ],
    answers: {
      '/api/cluster/plan': {
        term: 1,
        actions: [],
        held: [],
        unplaced: [],
        moves: [],
        scores: [score(ONE), score(TWO)],
        balance: { deviation: 0, spread: 0, allocationSpread: 0, rebalancing: false },
        canaries: [],
        frozen: false,
        capacity: {
          wantedWorkers: 1,
          openWorkers: 2,
          unplacedUnits: 0,
          unplacedLoad: 0,
          headroom: 18,
          models: [],
          emptiestWorker: ONE,
        },
        omitted: { actions: 0, held: 0, unplaced: 0, moves: 0 },
      },
    },
  });

/** The texts that end in an ellipsis. */
const CUT = `[...document.querySelectorAll('main .cut')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)`;

/** The badges of the tiles that reach beyond their tile. */
const BEYOND = `[...document.querySelectorAll('.tile .badge')].filter((e) => e.getBoundingClientRect().right > e.closest('.tile').getBoundingClientRect().right).map((e) => e.textContent)`;

describeInBrowser('names of workers', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it('stand before the addresses on every view, and searches find both', async () => {
    service = await start();
    const dashboard = await open(service.url);
    const { page } = dashboard;
    const main = page.getByRole('main');

    await page.getByRole('article', { name: SHOWN, exact: true }).getByRole('link', { name: SHOWN }).click();
    await page.getByRole('heading', { level: 1, name: SHOWN, exact: true }).waitFor();
    expect(await page.title()).toContain(SHOWN);
    await dashboard.goTo('plan');
    await page.getByRole('row', { name: SHOWN }).waitFor();
    await dashboard.shows(main, `${SHOWN} has the least load`);

    for (const text of ['rack', 'gpu-1']) {
      await dashboard.goTo(`events?text=${text}`);
      await dashboard.shows(main, `Camera hall moved from ${TWO} to ${SHOWN}`);
      await dashboard.shows(main, `anna cordoned worker ${SHOWN}.`);
      expect(await page.locator('.event-timeline li').count()).toBe(2);
      await dashboard.goTo(`subscriptions?text=${text}`);
      await dashboard.shows(main.getByRole('row', { name: 'hall' }), SHOWN);
      expect(await main.getByRole('row', { name: 'gate' }).count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
      await dashboard.shows(page.getByRole('option', { selected: true }), SHOWN);
      await page.keyboard.press('Escape');
    }
    await dashboard.goTo('cameras');
    await dashboard.shows(main.getByRole('listitem').filter({ hasText: 'hall' }), SHOWN);
    await page.getByLabel('Worker', { exact: true }).selectOption({ label: SHOWN });
    await dashboard.shows(page.locator('.page-header'), '1 found');
  });

  it('are whole on a narrow page', async () => {
    service = await start();
    const dashboard = await open(service.url, { width: 390 });
    const { page } = dashboard;
    await page.getByRole('article', { name: SHOWN }).scrollIntoViewIfNeeded();
    expect(await page.evaluate(CUT)).toEqual([]);
    await dashboard.shows(page.locator('.tiles'), '1 closed to new cameras');
    expect(await page.evaluate(BEYOND)).toEqual([]);
    await dashboard.goTo(`worker?${new URLSearchParams({ url: ONE })}`);
    await page.getByRole('heading', { level: 1, name: SHOWN }).waitFor();
    await dashboard.shows(page.getByRole('listitem'), 'hall');
    expect(await page.evaluate(CUT)).toEqual([]);
  });

  it('change on an open page', async () => {
    service = await start();
    const dashboard = await open(service.url, { route: 'subscriptions?text=rack' });
    const main = dashboard.page.getByRole('main');
    await dashboard.shows(main.getByRole('row', { name: 'hall' }), SHOWN);
    service.change({ workers: { set: { [TWO]: worker(TWO, { name: 'Rack 8' }) } } });
    await dashboard.shows(main.getByRole('row', { name: 'gate' }), 'Rack 8 (gpu-2:8000)');
  });
});
