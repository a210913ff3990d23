import type { SubscriptionExplanation } from '@detector-cluster/detector-cluster/planner';
import { namesWorker } from '@detector-cluster/dashboard-protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { keyed, subscription, worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const ONE = 'ws://gpu-1:8000';
const TWO = 'ws://gpu-2:8000';

const event = (number: number, type: string, more: object) => ({
  eventId: `${1_000 + number}-0`,
  type,
  at: new Date().toISOString(),
  term: 1,
  ...more,
});

const explanation = (subscriptionIdentifier: string): SubscriptionExplanation => ({
  subscriptionIdentifier,
  unitId: 'camera-0',
  subscriptions: [subscriptionIdentifier],
  cost: 1,
  priority: 0,
  workerUrl: ONE,
  plannedUrl: ONE,
  moving: null,
  actions: [],
  held: null,
  unplaced: null,
  workers: [
    {
      url: TWO,
      score: 0.5,
      load: 0.5,
      preference: 0,
      components: { allocation: 0.5, cpu: null, memory: null, gpu: null, gpuMemory: null },
      rejections: [],
    },
  ],
});

function start(): Promise<ScriptedService> {
  const rows = [
    ...Array.from({ length: 40 }, (_, n) => subscription(`display-${n};camera-${n}`, ONE)),
    subscription('display-x;elsewhere', TWO),
  ];
  return ScriptedService.start({
    view: {
      workers: {
        [ONE]: worker(ONE, { subscriptionCount: 40, capacity: 50, models: ['plates'] }),
        [TWO]: worker(TWO),
      },
      subscriptions: keyed(rows, ({ subscriptionIdentifier }) => subscriptionIdentifier),
    },
    events: [
      event(5, 'worker-online', { url: ONE }),
      event(6, 'worker-online', { url: TWO }),
      event(7, 'camera-moved', { cameraId: 'camera-0', from: TWO, to: ONE, reason: 'drain' }),
    ],
    answers: {
      '/api/cluster/events': ({ worker, from }: { worker?: string; from?: string }) => ({
        nextCursor: null,
        items: [
          event(1, 'operator-action', { by: 'anna', action: 'workersCordon', target: 'gpu-1:8000' }),
          event(2, 'worker-quarantined', { url: TWO, until: new Date().toISOString() }),
          ...(from === undefined ? [] : [event(3, 'worker-offline', { url: ONE })]),
        ].filter((one) => worker === undefined || namesWorker(one, worker)),
      }),
      '/api/cluster/subscriptions/display-0%3Bcamera-0/explain': explanation('display-0;camera-0'),
      [`/api/cluster/workers/${encodeURIComponent(ONE)}/drain`]: {
        accepted: true,
        changed: true,
        cameras: 3,
        withoutRoom: 2,
        deadline: 300_000,
      },
    },
  });
}

describeInBrowser('the page of a worker', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it('is linked from its card, its cameras and events, and shows only its own events', async () => {
    service = await start();
    const dashboard = await open(service.url);
    const { page } = dashboard;
    const main = page.getByRole('main');
    const heading = page.getByRole('heading', { level: 1, name: 'gpu-1:8000', exact: true });
    await dashboard.untilCharts();
    await dashboard.worker(ONE).getByRole('link', { name: 'gpu-1:8000', exact: true }).click();
    await heading.waitFor();
    expect(page.url()).toContain(`#/worker?${new URLSearchParams({ url: ONE })}`);
    expect(await page.title()).toContain('gpu-1:8000');
    await dashboard.shows(main, 'plates');
    await dashboard.shows(page.locator('.event-timeline'), 'anna cordoned worker gpu-1:8000.');
    expect(await page.locator('.event-timeline li').count()).toBe(3);

    await page.reload();
    await heading.waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.getByRole('link', { name: 'Its cameras' }).click();
    await dashboard.shows(page.locator('.page-header'), '40 found');
    await page.locator('.camera').first().getByRole('link', { name: 'gpu-1:8000' }).click();
    await heading.waitFor();
    await page.getByRole('link', { name: 'All its events' }).click();
    await page.locator('.event-timeline').getByRole('link', { name: ONE }).first().click();
    await heading.waitFor();
    // From one worker to the next.
    await page.locator('.event-timeline').getByRole('link', { name: TWO }).first().click();
    await page.getByRole('heading', { level: 1, name: 'gpu-2:8000', exact: true }).waitFor();
    await dashboard.shows(page.locator('.event-timeline'), 'flapping');
  });

  it('shows the events of the chosen time range, and links keep the range', async () => {
    service = await start();
    const dashboard = await open(service.url, { route: `worker?${new URLSearchParams({ url: ONE })}` });
    const { page } = dashboard;
    const events = page.locator('.event-timeline');
    await events.filter({ hasText: 'cordoned worker' }).waitFor();
    // They stay until those of the other range arrive: otherwise the page moves while it is used.
    const answer = await dashboard.holdBack('**/api/cluster/events?worker=*');
    const asked = page.waitForRequest((sent) => sent.url().includes('/api/cluster/events?worker='));
    await page.getByLabel('Time range').selectOption('1h');
    const query = new URL((await asked).url()).searchParams;
    expect(query.get('worker')).toBe(ONE);
    expect(Math.abs(Date.parse(query.get('from')!) - (Date.now() - 3_600_000))).toBeLessThan(60_000);
    expect(await events.getByText('cordoned worker').count()).toBe(1);
    answer();
    await events.getByText('Worker offline').waitFor();

    await page.getByRole('link', { name: 'All its events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    expect(page.url()).toContain('range=1h');
    await events.getByRole('link', { name: ONE }).first().click();
    await page.getByRole('heading', { level: 1, name: 'gpu-1:8000', exact: true }).waitFor();
    expect(page.url()).toContain('range=1h');
  });

  it('drains the worker, and leads to its subscriptions', async () => {
    service = await start();
    const route = `worker?${new URLSearchParams({ url: ONE })}`;
    const dashboard = await open(service.url, { route });
    const { page } = dashboard;
    await dashboard.button('Drain gpu-1:8000').click();
    await dashboard.shows(
      dashboard.dialog,
      /1 camera moves to other workers.*2 cameras would have no worker: the drain waits 5 min for room, then they stop/,
    );
    await dashboard.confirm('Drain');
    await dashboard.shows(dashboard.results, 'gpu-1:8000 is being drained.');
    service.change({
      workers: {
        set: { [ONE]: worker(ONE, { standing: 'draining', drainTotal: 40, subscriptionCount: 12 }) },
      },
    });
    await dashboard.shows(page.locator('.page-title'), 'Draining, 12 of 40 left');

    await page.getByRole('link', { name: 'Its subscriptions' }).click();
    await page.getByRole('link', { name: 'display-0', exact: true }).click();
    await dashboard.shows(dashboard.dialog, 'Runs on');
    expect(page.url()).toContain('explain=display-0%3Bcamera-0');
    await dashboard.dialog.getByRole('link', { name: 'gpu-2:8000' }).click();
    await page.getByRole('heading', { level: 1, name: 'gpu-2:8000', exact: true }).waitFor();

    service.change({ workers: { gone: [TWO] } });
    await dashboard.shows(page.getByRole('main'), 'This worker is not in the cluster');
    await dashboard.shows(page.locator('.event-timeline'), 'flapping');
  });
});
