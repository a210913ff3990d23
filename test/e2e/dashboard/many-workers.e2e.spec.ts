import { afterEach, expect, it, vi } from 'vitest';
import { until } from '../../support/until.js';
import { TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { keyed, worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const MANY = 1_000;
/** Far more than a screen of rows is made of, far less than a thousand rows or cards. */
const MAX_ELEMENTS = 1_500;

const url = (n: number) => `ws://gpu-${n}:8000`;

describeInBrowser('the dashboard of a cluster with a thousand workers', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it.each([1_280, 375])('shows them in a table that scrolls, sorts and finds (%s px)', async (width) => {
    const rows = Array.from({ length: MANY }, (_, n) => worker(url(n), { cpuUsage: n % 90 }));
    rows[700] = worker(url(700), { cpuUsage: 99, state: 'Suspect', standing: 'cordoned' });
    service = await ScriptedService.start({ view: { workers: keyed(rows, (row) => row.url) } });
    const dashboard = await open(service.url, { width });
    const { page } = dashboard;
    const grid = page.getByRole('grid', { name: /^Workers/ });
    await grid.scrollIntoViewIfNeeded();
    await grid.getByText('gpu-0:8000', { exact: true }).waitFor();
    const elements = () => page.evaluate<number>(`document.querySelectorAll('*').length`);
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);
    expect(await axeViolations(page)).toEqual([]);
    expect(
      await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      ),
    ).toBe(0);

    await page.evaluate(`document.querySelector('[role=grid]').scrollTop = 1e9`);
    await grid.getByText(`gpu-${MANY - 1}:8000`, { exact: true }).waitFor();
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);
    await page.evaluate(`document.querySelector('[role=grid]').scrollTop = 0`);

    await grid.getByRole('button', { name: 'CPU' }).click();
    await dashboard.shows(
      grid.locator('.virtual-body [role=row]').first(),
      /gpu-700:8000.*Suspect.*Cordoned.*99 %/,
    );
    await page.getByRole('searchbox', { name: 'Text in the name or address of a worker' }).fill('gpu-33');
    await grid.getByText('gpu-339:8000', { exact: true }).waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('12');

    await dashboard.button('Needs attention (1)').click();
    await page.getByRole('searchbox', { name: 'Text in the name or address of a worker' }).fill('');
    await grid.getByText('gpu-700:8000', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'gpu-700:8000' }).waitFor();
  });

  it('keeps its elements while it scrolls, and then puts them in the order of its rows', async () => {
    const rows = Array.from({ length: MANY }, (_, n) => worker(url(n)));
    service = await ScriptedService.start({ view: { workers: keyed(rows, (row) => row.url) } });
    const { page } = await open(service.url);
    const grid = page.getByRole('grid', { name: /^Workers/ });
    await grid.getByText('gpu-0:8000', { exact: true }).waitFor();
    const shown = `[...document.querySelectorAll('.virtual-body [role=row]')]`;
    /** Scrolls by a screen in ten steps. Returns how many elements of rows are new after that. */
    const scroll = () =>
      page.evaluate<number>(`new Promise((resolve) => {
        const grid = document.querySelector('[role=grid]');
        const before = new Set(${shown});
        let left = 10;
        const next = () => {
          if (left-- === 0) return resolve(${shown}.filter((row) => !before.has(row)).length);
          grid.scrollTop += grid.clientHeight / 10;
          requestAnimationFrame(next);
        };
        next();
      })`);
    // At its top, the table has no rows above the view.
    await scroll();
    expect(await scroll()).toBe(0);
    const inOrder = async () => {
      const order = await page.evaluate<number[]>(`${shown}.map((row) => Number(row.ariaRowIndex))`);
      return order.every((row, index) => index === 0 || row > order[index - 1]!);
    };
    await until(inOrder);

    // Rows of another height begin another measurement, while the table still counts as scrolling.
    await scroll();
    await page.setViewportSize({ width: 375, height: 860 });
    await until(inOrder);
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

    await page.getByLabel('Type of event').selectOption('Worker drained (1)');
    expect(page.url()).toMatch(/#\/events\?type=worker-drained$/);
    await page.reload();
    await dashboard.shows(lines, 'has no subscriptions left');
    expect(await lines.count()).toBe(1);
  });
});
