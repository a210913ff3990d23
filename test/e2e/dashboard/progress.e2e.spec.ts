import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';
import { at, planOf } from './support/scripts.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

describeInBrowser('progress on the dashboard', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it('shows how far a drain has come, and that a worker is drained', async () => {
    const url = 'ws://w';
    const problem = 'no other worker that may take these cameras has room: gate';
    const draining = worker(url, { standing: 'draining', drainTotal: 7, subscriptionCount: 3, problem });
    service = await ScriptedService.start({ view: { workers: { [url]: draining } } });
    const dashboard = await open(service.url);
    const card = dashboard.page.getByRole('article');
    await dashboard.shows(card, 'Draining, 3 of 7 left');
    await dashboard.shows(card, problem);
    service.change({ workers: { set: { [url]: { ...draining, state: 'Suspect', subscriptionCount: 0 } } } });
    await dashboard.shows(card, 'Draining, 0 of 7 left');
    service.change({ workers: { set: { [url]: { ...draining, subscriptionCount: 0 } } } });
    await dashboard.shows(card, 'Drained');
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
});
