import { get, LocalCluster, request, waitFor } from '@detector-cluster/local-cluster';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { allActive, TIMEOUT } from '../support/cluster.js';
import { axeViolations } from './support/axe-violations.js';
import { REFUSALS } from '../support/page-complaints.js';
import type { DashboardPage } from './support/dashboard-page.js';
import { describeInBrowser } from './support/describe-in-browser.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const PASSWORD = 'hunter2';

interface Entries {
  readonly items: readonly Record<string, unknown>[];
}

const field = ({ dialog }: DashboardPage, label: string) => dialog.getByLabel(new RegExp(`^${label}`));
const press = ({ dialog }: DashboardPage, name: string) =>
  dialog.getByRole('button', { name, exact: true }).click();
const styleOf = (page: Page, selector: string, property: string) =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`,
  );
const saved = async (dashboard: DashboardPage, text: string) => {
  await dashboard.shows(dashboard.results, text);
  await dashboard.dialog.waitFor({ state: 'detached' });
};

describeInBrowser('managing the cameras of a cluster from its dashboard', (open) => {
  let cluster: LocalCluster;
  let origin: string;
  beforeAll(async () => {
    cluster = await LocalCluster.start({
      backends: 2,
      workers: 2,
      redisUrl: process.env.REDIS_URL,
      databaseUrl: process.env.DATABASE_URL,
    });
    origin = cluster.backends[0]!.url;
    await allActive(cluster);
  }, 3 * TIMEOUT);
  afterAll(() => cluster?.stop());

  const list = async (path: string) => (await get<Entries>(origin, `/api/${path}`)).items;
  const manage = (kind: string) => open(origin, { route: `manage?kind=${kind}`, expected: REFUSALS });
  it('adds a camera with the keyboard alone, and shows problems at their fields', async () => {
    const dashboard = await manage('cameras');
    const { page } = dashboard;
    const { keyboard } = page;
    await page.getByRole('table', { name: 'Cameras' }).waitFor();
    await dashboard.button('Add a camera…').focus();
    await keyboard.press('Enter');
    await dashboard.dialog.waitFor();
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 20; presses++) {
        const found = await page.evaluate<string>(
          `document.activeElement.name || document.activeElement.textContent`,
        );
        if (found === name) return;
        await keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${name}`);
    };
    await tabTo('cameraIdentifier');
    await keyboard.type('hall');
    await tabTo('rtspUrl');
    await keyboard.type('nonsense');
    await keyboard.press('Enter');
    await dashboard.shows(dashboard.dialog, 'Stream URL must be a URL that starts with rtsp://');
    expect(await axeViolations(page)).toEqual([]);
    await tabTo('rtspUrl');
    await keyboard.press('Control+A');
    await keyboard.type(`rtsp://user:${PASSWORD}@192.0.2.9/live`);
    await keyboard.press('Enter');
    await dashboard.shows(dashboard.dialog, 'No subscription starts, restarts or stops.');
    expect(await axeViolations(page)).toEqual([]);
    expect(await list('cameras?text=hall')).toEqual([]);
    await tabTo('Save');
    await keyboard.press('Enter');
    await saved(dashboard, 'The camera hall is saved.');
    await page.getByRole('row', { name: /hall/ }).getByText('rtsp://***@192.0.2.9').waitFor();
    expect(await list('cameras?text=hall')).toHaveLength(1);
  });

  it('shows the name and the colour of the cluster if they are configured', async () => {
    const staging = await cluster.addBackend({ CLUSTER_NAME: 'Staging <b>', CLUSTER_COLOUR: 'orange' });
    const { page } = await open(staging.url, { route: 'manage', expected: REFUSALS });
    await page.getByRole('banner').getByText('Staging <b>', { exact: true }).waitFor();
    expect(await page.title()).toBe('Manage · Staging <b> · Detector cluster');
    const orange = 'rgb(168, 82, 8)';
    expect(await styleOf(page, '.header', 'border-block-start-color')).toBe(orange);
    expect(await styleOf(page, '.header-cluster', 'background-color')).toBe(orange);
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    const right = 'document.querySelector(".header-end").getBoundingClientRect().right <= innerWidth';
    expect(await page.evaluate(right)).toBe(true);
    const unnamed = await open(origin, { route: 'manage' });
    expect(await unnamed.page.title()).toBe('Manage · Detector cluster');
    expect(await styleOf(unnamed.page, '.header', 'border-block-start-width')).toBe('0px');
    await staging.stop();
    cluster.backends.splice(cluster.backends.indexOf(staging), 1);
  });

  it('adds a display, and shows in advance which worker starts it', async () => {
    const [playlist] = await list('playlists?limit=1');
    // Loads change from moment to moment, and with them the best worker: only one may take it.
    const [cordoned, free] = cluster.workers.map((worker) => new URL(cluster.workerUrl(worker)).host);
    const act = (what: string) =>
      request(origin, 'POST', `/api/cluster/workers/${cordoned!}/${what}`, {}, TIMEOUT);
    await act('cordon');
    const dashboard = await manage('displays');
    await dashboard.button('Add a display…').click();
    await field(dashboard, 'Identifier').fill('hall-display');
    await field(dashboard, 'Camera').fill('hall');
    await field(dashboard, 'Playlist').fill(String(playlist!.id));
    await press(dashboard, 'Preview');
    await dashboard.shows(dashboard.dialog, `Starts 1 subscription on ${free!}.`);
    await press(dashboard, 'Save');
    await saved(dashboard, 'The display hall-display is saved.');
    await waitFor('the subscription on the worker that was named', TIMEOUT, async () => {
      const { subscriptions } = await cluster.subscriptions();
      const found = subscriptions.find((one) => one.subscriptionIdentifier === 'hall-display;hall');
      return found?.assignedWorkerUrl === `ws://${free!}` ? true : null;
    });
    await act('uncordon');

    await dashboard.button('Add a display…').click();
    await field(dashboard, 'Identifier').fill('hall-display');
    await press(dashboard, 'Preview');
    await dashboard.shows(dashboard.dialog, 'Identifier is taken');
    await dashboard.shows(dashboard.dialog.getByRole('alert'), 'One field is invalid.');
  });

  it('edits a camera without showing its password, and does not overwrite the change of another user', async () => {
    const dashboard = await manage('cameras');
    const { page } = dashboard;
    await dashboard.button('Edit camera hall').click();
    expect(await field(dashboard, 'Stream URL').inputValue()).toBe('');
    expect(await page.content()).not.toContain(PASSWORD);
    await press(dashboard, 'Preview');
    await dashboard.shows(dashboard.dialog, 'Nothing was changed.');
    await field(dashboard, 'Snapshot interval').fill('700');
    await press(dashboard, 'Preview');
    await dashboard.shows(dashboard.dialog, /Restarts 1 subscription on/);
    await request(origin, 'PATCH', '/api/cameras/hall', { snapshotInterval: 900 }, TIMEOUT);
    await press(dashboard, 'Save');
    await dashboard.shows(dashboard.dialog, 'It was changed by someone else');
    expect(await list('cameras?text=hall')).toMatchObject([{ snapshotInterval: 900 }]);

    await page.keyboard.press('Escape');
    await dashboard.button('Refresh').click();
    await page.getByRole('row', { name: /hall/ }).getByText('900').waitFor();
    await dashboard.button('Edit camera hall').click();
    await field(dashboard, 'Snapshot interval').fill('700');
    await press(dashboard, 'Preview');
    await press(dashboard, 'Save');
    await saved(dashboard, 'The camera hall is saved.');
    expect(await list('cameras?text=hall')).toMatchObject([
      { snapshotInterval: 700, rtspUrl: 'rtsp://***@192.0.2.9/live' },
    ]);
  });

  it('removes a camera only after it has shown its users and the subscriptions that stop', async () => {
    const dashboard = await manage('cameras');
    await dashboard.button('Remove camera hall').click();
    await dashboard.shows(dashboard.dialog, 'display hall-display');
    await dashboard.shows(dashboard.dialog, /Stops 1 subscription on/);
    expect(await axeViolations(dashboard.page)).toEqual([]);
    const remove = dashboard.dialog.getByRole('button', { name: 'Remove', exact: true });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await remove.click({ force: true });
    expect(await list('cameras?text=hall')).toHaveLength(1);
    await dashboard.dialog.getByLabel('Remove it anyway and leave these without a camera').check();
    await press(dashboard, 'Remove');
    await saved(dashboard, 'The camera hall is removed.');
    expect(await list('cameras?text=hall')).toEqual([]);
    expect(await list('displays?text=hall')).toMatchObject([{ cameraIdentifier: null }]);
  });

  it('adds, edits and removes a model and a playlist', async () => {
    const models = await manage('models');
    await models.button('Add a model…').click();
    await field(models, 'Name').fill('trucks');
    await field(models, 'File').fill('trucks/1.onnx');
    await press(models, 'Preview');
    await models.shows(models.dialog, 'No subscription starts, restarts or stops.');
    await press(models, 'Save');
    await saved(models, 'The model trucks is saved.');
    const [model] = await list('models?text=trucks');
    expect(model).toMatchObject({ fileKey: 'trucks/1.onnx' });
    await models.button('Edit model trucks').click();
    await field(models, 'File').fill('trucks/2.onnx');
    await press(models, 'Preview');
    await press(models, 'Save');
    await models.page
      .getByRole('row', { name: /trucks/ })
      .getByText('trucks/2.onnx')
      .waitFor();
    expect(await list('models?text=trucks')).toMatchObject([{ fileKey: 'trucks/2.onnx' }]);

    const playlists = await manage('playlists');
    await playlists.button('Add a playlist…').click();
    await field(playlists, 'Name').fill('yard');
    await field(playlists, 'Model').fill(String(model!.id));
    await press(playlists, 'Preview');
    await press(playlists, 'Save');
    await saved(playlists, 'The playlist yard is saved.');
    await playlists.button('Edit playlist yard').click();
    await field(playlists, 'Name').fill('yard at night');
    await press(playlists, 'Preview');
    await press(playlists, 'Save');
    await playlists.button('Edit playlist yard at night').waitFor();
    expect(await list('playlists?text=yard')).toMatchObject([{ name: 'yard at night', modelId: model!.id }]);

    await models.button('Remove model trucks').click();
    await models.shows(models.dialog, /Used by\s*playlist/);
    await models.dialog.getByLabel('Remove it anyway and leave these without a model').check();
    await press(models, 'Remove');
    await saved(models, 'The model trucks is removed.');
    expect(await list('models?text=trucks')).toEqual([]);
    expect(await list('playlists?text=yard')).toMatchObject([{ modelId: null }]);
    await playlists.button('Refresh').click();
    await playlists.button('Remove playlist yard at night').click();
    await press(playlists, 'Remove');
    await saved(playlists, 'The playlist yard at night is removed.');
    expect(await list('playlists?text=yard')).toEqual([]);
  });

  it('imports all rows of a file or none, and names line, field and remedy of each that is wrong', async () => {
    const dashboard = await manage('displays');
    await dashboard.button('Import CSV…').click();
    const content = field(dashboard, 'Content');
    await content.fill('displayId;cameraIdentifier\nimp-1;\nimp-2;nowhere\n\nimp;3;x\n');
    await press(dashboard, 'Check');
    const problems = dashboard.dialog.getByRole('table');
    await dashboard.shows(problems, 'has 3 cells for 2 columns');
    await dashboard.shows(problems, '"nowhere"');
    await content.fill('displayId;cameraIdentifier\nimp-1;nowhere\n;cam-001\n');
    await press(dashboard, 'Check');
    await dashboard.shows(problems.getByRole('row').nth(1), '"nowhere"');
    await dashboard.shows(problems.getByRole('row').nth(2), /3\s*displayId\s*must be given/);
    await content.fill('displayId;cameraIdentifier\nimp-1;\nimp-2;nowhere\n\nimp-1;\n');
    await press(dashboard, 'Check');
    await dashboard.shows(problems, 'is also in line 2');
    expect((await problems.getByRole('row').allInnerTexts()).map((text) => text.split(/\s+/))).toEqual([
      expect.arrayContaining(['Line', 'Field', 'Problem']),
      expect.arrayContaining(['3', 'cameraIdentifier', '"nowhere",', 'add']),
      expect.arrayContaining(['5', 'displayId', 'line', '2:']),
    ]);
    expect(await axeViolations(dashboard.page)).toEqual([]);
    expect(await list('displays?text=imp')).toEqual([]);

    const file = 'displayId,name\nimp-1,"Hall, left"\nimp-2,\nhall-display,Renamed\n';
    await field(dashboard, 'File').setInputFiles({
      name: 'displays.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(file),
    });
    await waitFor('the content of the file', TIMEOUT, async () =>
      (await content.inputValue()) === file ? true : null,
    );
    await press(dashboard, 'Check');
    await dashboard.shows(dashboard.dialog, '2 to add, 1 to change.');
    expect(await axeViolations(dashboard.page)).toEqual([]);
    expect(await list('displays?text=imp')).toEqual([]);
    await press(dashboard, 'Import');
    await saved(dashboard, 'Imported: 2 added, 1 changed.');
    expect(await list('displays?text=imp&sort=displayId')).toMatchObject([
      { displayId: 'imp-1', name: 'Hall, left' },
      { displayId: 'imp-2', name: '' },
    ]);
    expect(await list('displays?text=hall-display')).toMatchObject([{ name: 'Renamed' }]);
  });
});
