import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { keyed, worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const MANY = 1_000;
/** More than two dozen cards are made of, far less than a thousand cards. */
const MAX_ELEMENTS = 3_000;

const url = (n: number) => `ws://gpu-${n}:8000`;

describeInBrowser('the dashboard of a cluster with a thousand workers', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it.each([1_280, 375])('shows, sorts and finds them a part at a time (%s px)', async (width) => {
    const rows = Array.from({ length: MANY }, (_, n) => worker(url(n), { cpuUsage: n % 90 }));
    rows[700] = worker(url(700), { cpuUsage: 99, state: 'Suspect', standing: 'cordoned' });
    service = await ScriptedService.start({ view: { workers: keyed(rows, (row) => row.url) } });
    const dashboard = await open(service.url, { width });
    const { page } = dashboard;
    const cards = page.getByRole('article');
    await dashboard.worker(url(23)).waitFor();
    expect(await cards.count()).toBe(24);
    expect(await page.evaluate<number>(`document.querySelectorAll('*').length`)).toBeLessThan(MAX_ELEMENTS);
    expect(await axeViolations(page)).toEqual([]);
    expect(
      await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      ),
    ).toBe(0);

    await dashboard.button('Show more workers').click();
    await dashboard.worker(url(47)).waitFor();

    const order = page.getByLabel('Order of the workers');
    for (const first of ['Highest CPU first', 'Worst state first']) {
      await order.selectOption('By name');
      await dashboard.shows(cards.first(), 'gpu-0:8000');
      await order.selectOption(first);
      await dashboard.shows(cards.first(), /gpu-700:8000.*Suspect.*Cordoned.*99 %/);
    }
    const search = page.getByRole('searchbox', { name: 'Text in the name or address of a worker' });
    await search.fill('gpu-33');
    await dashboard.worker(url(339)).waitFor();
    expect(await cards.count()).toBe(11);

    await dashboard.button('Needs attention (1)').click();
    await dashboard.shows(page.getByRole('main'), 'No worker matches the filter');
    await search.fill('');
    await dashboard.worker(url(700)).getByRole('link', { name: 'gpu-700:8000' }).click();
    await page.getByRole('heading', { level: 1, name: 'gpu-700:8000' }).waitFor();
  });

  it('has one line for a thousand events of a failover, and keeps the type of events in its address', async () => {
    const start = Date.now() - 60_000;
    const event = (n: number, type: string, more: object) => ({
      eventId: `${start + n}-0`,
      type,
      at: new Date(start + n).toISOString(),
      term: 2,
      ...more,
    });
    const events = [
      event(0, 'master-acquired', { processId: 'backend-2' }),
      ...Array.from({ length: MANY }, (_, n) => event(n + 1, 'worker-online', { url: url(n) })),
      event(MANY + 1, 'worker-drained', { url: url(3) }),
    ];
    service = await ScriptedService.start({
      view: {},
      // A page that was just opened gets the newest events only.
      events: events.slice(-200),
      answers: {
        '/api/cluster/events': ({ cursor }: { cursor?: string }) => ({
          items: (cursor === undefined ? events.slice(-MANY) : events.slice(0, -MANY)).toReversed(),
          nextCursor: cursor === undefined ? 'older' : null,
        }),
      },
    });
    const dashboard = await open(service.url, { route: 'events' });
    const { page } = dashboard;
    const lines = page.locator('.event-timeline > li');
    await dashboard.shows(lines, 'At least 999 workers are online and accept cameras.');
    await dashboard.button('Show older events').click();
    await dashboard.shows(
      lines,
      /^\d\d:\d\d:\d\dWorker online1,000 workers are online and accept cameras\.$/,
    );
    expect(await lines.count()).toBe(3);
    await page.getByText('1,000 workers are online').click();
    await page
      .locator('.event-together')
      .getByRole('link', { name: url(999) })
      .waitFor();
    await dashboard.shows(lines, '900 earlier events are not listed. Search for a name to find them.');
    expect(await axeViolations(page)).toEqual([]);

    await page.getByLabel('Type of event').selectOption('Worker drained');
    expect(page.url()).toMatch(/#\/events\?type=worker-drained$/);
    await page.reload();
    await dashboard.shows(lines, 'has no subscriptions left');
    expect(await lines.count()).toBe(1);
  });
});
