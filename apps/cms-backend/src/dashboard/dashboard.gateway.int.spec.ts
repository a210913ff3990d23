import { once } from 'node:events';
import { CloseCode, DASHBOARD_PROTOCOL } from '@detector-cluster/dashboard-protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { useTestApp } from '../test-app.fixture.js';
import { greeting, PageClient, refusal } from './page-client.fixture.js';
import { MAX_PAGES, MAX_STRANGERS } from './dashboard.gateway.js';

const KEY = 'correct-horse';

describe('the endpoint for pages', () => {
  const api = useTestApp({ API_KEY: KEY, CLUSTER_NAME: 'Staging' });
  const pages: PageClient[] = [];

  afterAll(async () => {
    for (const page of pages) page.socket.terminate();
  }, TIMEOUT);

  const open = async (
    ...args: Parameters<typeof PageClient.open> extends [string, ...infer R] ? R : never
  ) => {
    const page = await PageClient.open(api.url, ...args);
    pages.push(page);
    return page;
  };

  it('feeds a page that has the API key', async () => {
    const page = await open(greeting(KEY));
    await eventually(async () => expect(page.messages).toBeGreaterThan(2));
    expect(page.gaps).toBe(0);
    expect(page.servedBy).toMatch(/./);
    expect(page.cluster).toEqual({ name: 'Staging', colour: null });
    await eventually(async () => expect(Object.keys(page.view!.processes)).toEqual([page.servedBy]));
    await page.close();
  });

  it.each([
    ['no key', greeting(null), CloseCode.unauthorized],
    ['another key', greeting('correct-hors'), CloseCode.unauthorized],
    [
      'another version',
      { event: 'hello', data: { version: DASHBOARD_PROTOCOL + 1, apiKey: KEY } },
      CloseCode.otherVersion,
    ],
    [
      'another version that says it otherwise',
      { event: 'hello', data: { version: 99, token: [KEY] } },
      CloseCode.otherVersion,
    ],
    ['another event', { event: 'hallo', data: greeting(KEY).data }, CloseCode.badMessage],
    [
      'a key that is no text',
      { event: 'hello', data: { ...greeting(KEY).data, apiKey: 1 } },
      CloseCode.badMessage,
    ],
    ['no key member', { event: 'hello', data: { version: DASHBOARD_PROTOCOL } }, CloseCode.badMessage],
    ['no JSON', '{"event":', CloseCode.badMessage],
    ['null', 'null', CloseCode.badMessage],
    ['more than 4 KiB', `"${'x'.repeat(4_096)}"`, 1009],
  ])('closes a page with %s', async (_name, hello, code) => {
    const page = await open(hello);
    expect(await page.closed).toBe(code);
    expect(page.messages).toBe(0);
  });

  it('closes a page that sends more than hello', async () => {
    const page = await open(greeting(KEY));
    page.socket.send(JSON.stringify(greeting(KEY)));
    expect(await page.closed).toBe(CloseCode.badMessage);
  });

  it(
    'closes a page that sends nothing',
    async () => {
      const page = await open(null);
      expect(await page.closed).toBe(CloseCode.badMessage);
    },
    TIMEOUT,
  );

  it(
    'drops a page that no longer answers, and keeps one that does',
    async () => {
      const [there, gone] = [await open(greeting(KEY)), await open(greeting(KEY), { autoPong: false })];
      expect(await gone.closed).toBe(1006);
      const { messages } = there;
      await eventually(async () => expect(there.messages).toBeGreaterThan(messages + 1));
      await there.close();
    },
    2 * TIMEOUT,
  );

  it('lets no other site in', async () => {
    const { host } = new URL(api.url);
    for (const origin of ['http://evil.example', `http://${host}.evil.example`, 'http://127.0.0.1:1', 'null'])
      expect(await refusal(api.url, { origin })).toBe(403);
    for (const origin of [`http://${host}`, `https://${host}`]) {
      const page = await open(greeting(KEY), { origin });
      await eventually(async () => expect(page.view).not.toBeNull());
      await page.close();
    }
  });

  it('closes a page with a reason while there is no place, until another page leaves', async () => {
    const opened = await Promise.all(Array.from({ length: MAX_PAGES }, () => open(greeting(KEY))));
    const late = await open(greeting(KEY));
    expect(await late.closed).toBe(CloseCode.full);
    expect(late.messages).toBe(0);
    await opened[0]!.close();
    await eventually(async () => {
      const page = await open(greeting(KEY));
      await eventually(async () => expect(page.view).not.toBeNull());
      await page.close();
    });
    await Promise.all(opened.map((page) => page.close()));
  });

  it('keeps no place for sockets that send nothing', async () => {
    const silent = await Promise.all(Array.from({ length: 3 * MAX_STRANGERS }, () => open(null)));
    const page = await open(greeting(KEY));
    await eventually(async () => expect(page.messages).toBeGreaterThan(2));
    const closed = silent.filter(({ socket }) => socket.readyState === WebSocket.CLOSED).length;
    expect(closed).toBeGreaterThanOrEqual(2 * MAX_STRANGERS);
    await page.close();
  });

  it('does not change paths of the API, except for headers that keep browsers from running their answers', async () => {
    const answers = [
      await api.send('GET', '/nowhere'),
      await api.send('GET', '/api/cameras'),
      await api.send('GET', '/api/cameras', undefined, { 'x-api-key': KEY }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 401, 200]);
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toMatch(/json/);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('exists on no other path', async () => {
    const socket = new WebSocket(`${api.url.replace(/^http/, 'ws')}/api/cameras`);
    const [{ message }] = (await once(socket, 'error')) as [{ message: string }];
    expect(message).toBe('socket hang up');
    expect((await api.send('GET', '/api/dashboard', undefined, { 'x-api-key': KEY })).status).toBe(404);
  });
});
