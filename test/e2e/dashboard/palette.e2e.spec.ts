import { waitFor } from '@detector-cluster/local-cluster';
import { afterEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { backend, keyed, subscription, worker } from './support/rows.js';
import { ScriptedService } from './support/scripted-service.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const ONE = 'ws://gpu-1:8000';
const COPIED = 'window.copied';
const WATCHED_CLIPBOARD = `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { ${COPIED} = text; } } })`;
const FOCUSED = `document.activeElement.getAttribute('aria-label')`;

const start = () =>
  ScriptedService.start({
    view: {
      workers: { [ONE]: worker(ONE), 'ws://gpu-2:8000': worker('ws://gpu-2:8000') },
      subscriptions: keyed(
        Array.from({ length: 200 }, (_, n) => subscription(`display-${n};gate-${n}`, ONE)),
        ({ subscriptionIdentifier }) => subscriptionIdentifier,
      ),
    },
    answers: {
      '/api/cluster/regenerate': { accepted: true, changed: true },
    },
  });

describeInBrowser('the palette of the dashboard', (open) => {
  let service: ScriptedService | undefined;
  afterEach(() => service?.stop());

  it('leads to pages, workers and cameras, and starts actions, with the keyboard alone', async () => {
    service = await start();
    const dashboard = await open(service.url);
    const { page } = dashboard;
    const { keyboard } = page;
    const field = page.getByRole('combobox', { name: 'Page, worker, camera or action' });
    const chosen = page.getByRole('option', { selected: true });

    await keyboard.press('Control+k');
    await field.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await dashboard.shows(chosen, 'Overview');
    await keyboard.press('ArrowDown');
    await dashboard.shows(chosen, 'Cameras');
    // The focus stays in the dialog.
    for (let presses = 0; presses < 5; presses++) await keyboard.press('Tab');
    expect(
      await page.evaluate(
        `document.activeElement === document.body || document.activeElement.closest('dialog') !== null`,
      ),
    ).toBe(true);
    await field.focus();
    await keyboard.press('ArrowUp');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Cameras' }).waitFor();
    await dashboard.dialog.waitFor({ state: 'detached' });

    await keyboard.press('Control+k');
    await keyboard.type('gpu-1');
    await dashboard.shows(chosen, 'gpu-1:8000');
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'gpu-1:8000' }).waitFor();

    await keyboard.press('Control+k');
    await keyboard.type('gate');
    await dashboard.shows(dashboard.dialog, '150 more. Type more letters to narrow the list.');
    await keyboard.type('-19');
    await keyboard.press('ArrowDown');
    await dashboard.shows(chosen, 'gate-190');
    await keyboard.press('Enter');
    await dashboard.shows(page.locator('.page-header'), '1 found');

    await keyboard.press('Control+k');
    await keyboard.type('read the');
    await keyboard.press('Enter');
    await dashboard.confirm('Read again');
    await dashboard.shows(dashboard.results, 'The master has read the desired state and planned.');

    await keyboard.press('Control+k');
    await keyboard.type('no such thing');
    await dashboard.shows(dashboard.dialog, 'No matches.');
    await keyboard.press('Escape');
    await dashboard.dialog.waitFor({ state: 'detached' });
  });

  it.each([true, false])('copies ids (with the clipboard of secure pages: %s)', async (secure) => {
    service = await start();
    const route = `subscriptions?${new URLSearchParams({ explain: 'display-0;gate-0' })}`;
    const dashboard = await open(service.url, { route, expected: [/404/] });
    const { page } = dashboard;
    await page.evaluate(
      secure
        ? WATCHED_CLIPBOARD
        : `Object.defineProperty(navigator, 'clipboard', { value: undefined });
           document.execCommand = () => { ${COPIED} = document.activeElement.value; return true; }`,
    );
    await dashboard.button('Copy the identifier of the subscription').click();
    await dashboard.shows(dashboard.results, 'Copied the identifier of the subscription.');
    expect(await page.evaluate(COPIED)).toBe('display-0;gate-0');
    await dashboard.goTo(`worker?${new URLSearchParams({ url: ONE })}`);
    await dashboard.button('Copy the URL of the worker').click();
    await dashboard.shows(dashboard.results, 'Copied the URL of the worker.');
    expect(await page.evaluate(COPIED)).toBe(ONE);
  });

  it('copies the id of a process, a camera and a display with the keyboard', async () => {
    const [processId, displayId, cameraId] = ['backend-1:4f2a', 'display-7', 'gate-7'];
    service = await ScriptedService.start({
      view: {
        processes: { [processId]: backend(processId) },
        subscriptions: { 'd;gate-7': subscription(`d;${cameraId}`, ONE) },
        skipped: { [displayId]: { displayId, reason: 'no-camera', detail: '' } },
      },
      answers: {
        '/api/cameras': { items: [{ cameraIdentifier: cameraId }], nextCursor: null },
        '/api/displays': { items: [{ displayId }], nextCursor: null },
      },
    });
    const dashboard = await open(service.url);
    const { page } = dashboard;
    await page.evaluate(WATCHED_CLIPBOARD);
    for (const [route, id] of [
      ['overview', processId],
      ['cameras', cameraId],
      ['subscriptions?view=skipped', displayId],
      ['manage?kind=cameras', cameraId],
      ['manage?kind=displays', displayId],
    ] as const) {
      await page.evaluate(`${COPIED} = null`);
      await dashboard.goTo(route);
      await dashboard.button(`Copy ${id}`).waitFor();
      await page.getByRole('main').focus();
      for (let presses = 0; presses < 30; presses++) {
        if ((await page.evaluate(FOCUSED)) === `Copy ${id}`) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await waitFor(`${id} in the clipboard of ${route}`, TIMEOUT, async () =>
        (await page.evaluate(COPIED)) === id ? true : null,
      );
    }
  });
});
