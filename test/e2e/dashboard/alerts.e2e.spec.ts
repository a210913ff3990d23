import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { subscription, worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const TEN_MINUTES_AGO = new Date(Date.now() - 10 * 60_000).toISOString();
const LOST = 'ws://gpu-1:8000';

const newMaster = (number: number) => ({
  eventId: `1-${number}`,
  type: 'master-acquired',
  at: TEN_MINUTES_AGO,
  term: 1,
  processId: 'a',
});

describeInBrowser('the alerts of the dashboard', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it('count the events from before the page was opened', async () => {
    service = await ScriptedService.start({
      view: { workers: { 'ws://two': worker('ws://two') } },
      events: [newMaster(8)],
      answers: {
        '/api/cluster/events': ({ type = '' }: { type?: string }) => ({
          items: type.includes('master-acquired') ? [1, 2, 3, 4, 5, 6, 7, 8].map(newMaster) : [],
          nextCursor: null,
        }),
      },
    });
    const dashboard = await open(service.url);
    await dashboard.shows(
      dashboard.page.locator('.attention'),
      'The master has changed 8 times within an hour.',
    );
  });

  it.each([1_280, 375])(
    'appear with the first message, on every page, and disappear with their cause (%s px)',
    async (width) => {
      const failed = {
        ...subscription('display;gate', ''),
        status: 'failed' as const,
        since: TEN_MINUTES_AGO,
      };
      service = await ScriptedService.start({
        view: {
          workers: {
            [LOST]: worker(LOST, { online: false, state: 'Offline' }),
            'ws://two': worker('ws://two'),
          },
          subscriptions: { 'display;gate': failed },
          sources: {
            database: { name: 'database', ok: false, since: new Date().toISOString(), problem: 'refused' },
          },
        },
        events: [{ eventId: '1-0', type: 'worker-offline', at: TEN_MINUTES_AGO, term: 1, url: LOST }],
      });
      const dashboard = await open(service.url, { route: 'plan?rebalance=', width, expected: [/404/] });
      const { page } = dashboard;
      const count = page.locator('.alert-count');
      await dashboard.shows(count, '3');
      await count.click();
      const alert = (name: string) => page.locator('.attention li').filter({ hasText: name });
      await dashboard.shows(
        alert('DetectorClusterWorkersAway'),
        /Warning.*1 worker is unavailable\..*for 10 min/,
      );
      await dashboard.shows(
        alert('DetectorClusterSubscriptionsFailed'),
        'Every worker refuses 1 subscription.',
      );
      await dashboard.shows(
        alert('DetectorClusterDesiredStateUnreadable'),
        /Pending.*cannot read the database\. Fires in \d/,
      );
      expect(await page.locator('.attention li .attention-name').count()).toBe(4);
      expect(await axeViolations(page)).toEqual([]);
      expect(
        await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        ),
      ).toBe(0);

      const [runbook] = await Promise.all([
        page.waitForEvent('popup'),
        alert('DetectorClusterWorkersAway').getByRole('link', { name: 'DetectorClusterWorkersAway' }).click(),
      ]);
      await runbook.getByRole('heading', { name: 'DetectorClusterWorkersAway' }).waitFor();
      expect(await runbook.evaluate<string>('document.querySelector(":target").textContent')).toBe(
        'DetectorClusterWorkersAway',
      );
      expect(await axeViolations(runbook)).toEqual([]);
      await runbook.close();

      await alert('DetectorClusterWorkersAway')
        .getByRole('link', { name: '1 worker is unavailable.' })
        .click();
      await page.getByRole('heading', { level: 1, name: 'gpu-1:8000' }).waitFor();
      service.change({
        workers: { set: { [LOST]: worker(LOST) } },
        subscriptions: { set: { 'display;gate': { ...failed, status: 'active' } } },
        sources: { gone: ['database'] },
      });
      await count.waitFor({ state: 'detached' });
      await dashboard.goTo('overview');
      await page.getByText('The camera runs, no alerts', { exact: true }).waitFor();
    },
  );
});
