import { waitFor } from '@detector-cluster/local-cluster';
import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { ScriptedService } from './support/scripted-service.js';
import { at, hostileScript } from './support/scripts.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

describeInBrowser('the search for detections on the dashboard', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it('shows a detection with the picture of its moment, and never with another one', async () => {
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
      await dashboard.shows(card(text), 'No picture of this moment');
      expect(await card(text).locator('img, .picture-boxes').count()).toBe(0);
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
    await page.getByLabel('Camera', { exact: true }).fill('gate');
    await page.getByLabel('Plate or label', { exact: true }).fill('0042');
    // Each field reaches the address when its text has rested.
    await page.waitForURL(/#\/detections\?view=search&range=1h&camera=gate&label=0042$/);
    await dashboard.shows(page.locator('.detection-card'), 'DC 0042');
    await dashboard.shows(page.getByRole('main'), 'The newest 1 are shown. Older ones match, too.');
    await dashboard.button('Show older detections').click();
    await dashboard.shows(page.locator('.detection-card'), 'DC 0041');
    await dashboard.shows(page.getByRole('main'), '2 matches');
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
    const answerNow = await dashboard.holdBack('**/api/detections?*');
    const question = page.waitForRequest('**/api/detections?*');
    await page.getByLabel('Time range').selectOption('24h');
    await question;
    expect(await main.getByText('No detection matches').count()).toBe(0);
    answerNow();
    await dashboard.shows(main, 'No detection matches');
    expect(asked).toHaveLength(searches + 1);
    expect(asked.at(-1)).not.toHaveProperty('to');
  });
});
