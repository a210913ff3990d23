import { waitFor } from '@detector-cluster/local-cluster';
import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { ScriptedService } from './support/scripted-service.js';
import { hostileScript } from './support/scripts.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

describeInBrowser('the dead letters on the dashboard', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it('filters the dead letters, and acts only on those that are shown', async () => {
    const asked: Record<string, string>[] = [];
    const posted: unknown[] = [];
    const [letter] = (hostileScript().answers!['/api/cluster/dead-letters'] as { items: object[] }).items;
    service = await ScriptedService.start({
      view: {},
      answers: {
        '/api/cluster/dead-letters': (query: Record<string, string>) => {
          asked.push(query);
          const items = query.text === 'nothing' ? [] : [{ ...letter, error: `Error: ${query.text ?? ''}` }];
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
    await page.getByLabel('From').fill('2026-11-24T10:00:00');
    await waitFor('both filters', TIMEOUT, async () =>
      Object.keys(asked.at(-1)!).length === 3 ? true : null,
    );
    const expected = { limit: '100', text: 'no space' };
    expect(asked.at(-1)).toEqual({ ...expected, from: expect.stringMatching(/^2026-11-24T/) });
    await page.reload();
    await dashboard.shows(main, 'Error: no space');
    expect(asked.at(-1)).toMatchObject(expected);
    expect(await dashboard.button('Drop all…').count()).toBe(0);
    await dashboard.act('Replay shown…', 'Replay');
    await dashboard.shows(dashboard.results, '1 letter queued for delivery.');
    expect(posted).toEqual([{ ids: ['1-0-0'] }]);
    await page.getByLabel('Text in the error').fill('nothing');
    await dashboard.shows(main, 'No dead letter matches the filter');
  });

  it('keeps a filter that is chosen while the text of a search waits', async () => {
    const asked: Record<string, string>[] = [];
    service = await ScriptedService.start({
      view: {},
      answers: {
        '/api/cluster/dead-letters': (query: Record<string, string>) => {
          asked.push(query);
          return { items: [], nextCursor: null };
        },
      },
    });
    const dashboard = await open(service.url, { route: 'dead-letters' });
    const { page } = dashboard;
    await dashboard.shows(page.getByRole('main'), 'No dead letters');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByLabel('Text in the error').fill('no space');
    await page.getByLabel('From').fill('2026-11-24T10:00:00');
    await page.clock.runFor(1_000);
    await waitFor('the search', TIMEOUT, async () => (asked.at(-1)?.text === undefined ? null : true));
    expect(asked.at(-1)).toEqual({
      limit: '100',
      text: 'no space',
      from: expect.stringMatching(/^2026-11-24T/),
    });
  });
});
