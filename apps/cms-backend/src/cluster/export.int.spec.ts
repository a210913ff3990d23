import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { describe, expect, it } from 'vitest';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { PRISMA } from '../stores/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { toRow } from '../detections/detection-row.js';
import { received } from '../detections/stored.fixture.js';
import { useTestApp } from '../test-app.fixture.js';

const READER = { 'x-api-key': 'key-of-grafana' };
const LISTS = {
  events: '/api/cluster/events',
  subscriptions: '/api/cluster/subscriptions',
  detections: '/api/detections',
  audit: '/api/audit',
};

describe('exports', () => {
  const api = useTestApp({
    API_KEYS: 'ops:operate:key-of-ops grafana:read:key-of-grafana',
    DETECTION_HISTORY: 'true',
  });

  const get = (path: string, headers: Record<string, string> = READER) =>
    fetch(`${api.url}${path}`, { headers });
  const linesOf = async (path: string) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    return (await answer.text()).split('\n').slice(0, -1);
  };

  it('have all detections that match, as a reader may list them', { timeout: TIMEOUT * 2 }, async () => {
    const prisma: PrismaClient = api.app.get(PRISMA, { strict: false });
    const labels = ['=cmd|calc', 'A"B', 'DC 1'];
    await prisma.storedDetection.createMany({
      data: Array.from({ length: 2_500 }, (_, n) =>
        toRow(received(`d-${n}`, { data: { detection: { licensePlateText: labels[n % 3] } } }), 'node')!,
      ),
    });
    const csv = await linesOf('/api/export/detections?format=csv&sort=receivedAt');
    expect(csv).toHaveLength(2_501);
    expect(csv[0]).toMatch(/^detectionId,subscriptionIdentifier,.*,label,.*,summary\r$/);
    expect(csv[1]).toContain(",'=cmd|calc,");
    expect(csv[2]).toContain(',"A""B",');
    const json = await linesOf('/api/export/detections?format=jsonl&label=dc1');
    const listed = await api.send<{ items: object[] }>(
      'GET',
      '/api/detections?label=dc1&limit=1000',
      undefined,
      READER,
    );
    expect(json.map((line) => JSON.parse(line) as object)).toEqual(listed.body.items);
  });

  it(
    'have the events and the actions that match',
    async () => {
      const cluster = api.app.get(DetectorCluster, { strict: false });
      await eventually(async () => {
        await cluster.recordAction({ by: '=ann', action: 'look', target: 'gate "1"' });
      });
      await eventually(async () =>
        expect(await linesOf('/api/export/events?format=jsonl&text=GATE+ann+%221%22')).not.toEqual([]),
      );
      const [head, line] = await linesOf('/api/export/events?format=csv&type=operator-action&text=look');
      expect(head).toBe('eventId,at,type,term,details\r');
      expect(line).toContain('operator-action');
      expect(await linesOf('/api/export/events?format=csv&text=nothing+like+it')).toHaveLength(1);
      await api.send('DELETE', '/api/cameras/none', undefined, { 'x-api-key': 'key-of-ops' });
      const [entry] = await linesOf('/api/export/audit?format=jsonl&text=none');
      expect(JSON.parse(entry!)).toMatchObject({ by: 'ops', target: 'none', status: 404 });
      expect(
        (await linesOf('/api/export/subscriptions?format=csv&status=active,failed&worker=-'))[0],
      ).toMatch(/^subscriptionIdentifier,/);
    },
    TIMEOUT,
  );

  it.each(Object.entries(LISTS))('need the key and take the filters of the list: %s', async (name, list) => {
    expect((await get(`/api/export/${name}?format=csv`, {})).status).toBe(401);
    expect((await get(list, {})).status).toBe(401);
    for (const query of ['', '?format=xml', '?format=csv&limit=5', '?format=csv&nothing=1'])
      expectProblem(await api.send('GET', `/api/export/${name}${query}`, undefined, READER), 422);
    const file = await get(`/api/export/${name}?format=csv`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}.csv"`);
    expect(file.headers.get('cache-control')).toBe('no-store');
    await file.arrayBuffer();
  });
});

describe('exports without stored detections', () => {
  const api = useTestApp();

  it('are refused as the list is', async () => {
    for (const path of ['/api/detections', '/api/export/detections?format=csv'])
      expectProblem(await api.send('GET', path), 404);
  });
});
