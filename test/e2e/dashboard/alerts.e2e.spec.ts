import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { alert as alertRow, pendingAlert, subscription, worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const TEN_MINUTES_AGO = new Date(Date.now() - 10 * 60_000).toISOString();
const LOST = 'ws://gpu-1:8000';

describeInBrowser('the alerts of the dashboard', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

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
          alerts: {
            ...pendingAlert('DesiredStateUnreadable', { summary: 'The master cannot read the database.' }),
            ...alertRow('WorkersAway', { summary: '1 worker is unavailable.', workerUrl: LOST }),
            ...alertRow('SubscriptionsFailed', { summary: 'Every worker refuses 1 subscription.' }),
            ...alertRow('NoWorkerReady', { severity: 'critical' }),
          },
        },
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
      expect(await page.locator('.attention li .attention-name').allTextContents()).toEqual(
        ['NoWorkerReady', 'WorkersAway', 'SubscriptionsFailed', 'DesiredStateUnreadable'].map(
          (name) => `DetectorCluster${name}`,
        ),
      );
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
        alerts: {
          gone: ['DesiredStateUnreadable', 'WorkersAway', 'SubscriptionsFailed', 'NoWorkerReady'].map(
            (name) => `DetectorCluster${name}`,
          ),
        },
      });
      await count.waitFor({ state: 'detached' });
      await dashboard.goTo('overview');
      await page.getByText('Every camera runs, no alerts', { exact: true }).waitFor();
    },
  );

  it.each([1_280, 390])(
    'say where they were sent, and why a receiver did not get them (%s px)',
    async (width) => {
      const receiver = { sentAt: null, failedAt: null, problem: null, waiting: 0, dropped: 0 };
      service = await ScriptedService.start({
        view: {
          workers: { 'ws://two': worker('ws://two') },
          receivers: { alertmanager: { name: 'alertmanager', ...receiver } },
        },
      });
      const dashboard = await open(service.url, { width });
      const lines = dashboard.page.locator('.attention-receiver');
      await dashboard.shows(lines, /Alertmanager.*Nothing was sent yet/);
      service.change({
        receivers: {
          set: {
            alertmanager: { name: 'alertmanager', ...receiver, sentAt: TEN_MINUTES_AGO },
            webhook: {
              name: 'webhook',
              ...receiver,
              failedAt: TEN_MINUTES_AGO,
              problem: 'it answered 500',
              waiting: 3,
              dropped: 1,
            },
          },
        },
      });
      await dashboard.shows(lines, /Alertmanager.*Last sent at \d\d:\d\d:\d\d/);
      await dashboard.shows(
        lines,
        /Webhook fails.*At \d\d:\d\d:\d\d: it answered 500\. Nothing was sent yet\. 3 messages waiting\. 1 message dropped/,
      );
      expect(await axeViolations(dashboard.page)).toEqual([]);
      expect(
        await dashboard.page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        ),
      ).toBe(0);
    },
  );
});
