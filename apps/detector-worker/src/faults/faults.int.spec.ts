import { afterEach, describe, expect, it } from 'vitest';
import { TestWorker } from '../fixtures/test-worker.fixture.js';
import { until } from '../fixtures/until.fixture.js';

describe('faults', () => {
  let worker: TestWorker;
  afterEach(() => worker.stop());

  it('silently refuses subscriptions by their own or their camera’s name', async () => {
    worker = await TestWorker.startQuiet({ FAULT_REFUSE: 'd1;c1, c2' });
    const master = await worker.connect(1);
    master.subscribe('d1;c1', 'd2;c1', 'd1;c2', 'd3;c3');
    expect((await master.held()).sort()).toEqual(['d2;c1', 'd3;c3']);
    expect((await worker.putFaults({})).status).toBe(200);
    master.subscribe('d1;c1');
    expect((await master.held()).sort()).toEqual(['d1;c1', 'd2;c1', 'd3;c3']);
  });

  it('reports a camera offline, sends nothing of it and has no image', async () => {
    worker = await TestWorker.startQuiet({ FAULT_OFFLINE: 'c1', DETECTIONS_PER_SECOND: '100' });
    const master = await worker.connect(1);
    master.subscribe('d1;c1', 'd1;c2');
    await until('detections of the other', () => master.sequences('d1;c2').length >= 5);
    await master.held();
    expect(master.sequences('d1;c1')).toEqual([]);
    expect(master.reports.at(-1)!.cameraConnections.map(({ online }) => online)).toEqual([false, true]);
    expect((await worker.fetch('/camera/d1%3Bc1/image')).status).toBe(404);
    await worker.putFaults({});
    await until('detections of both', () => master.sequences('d1;c1').length > 0);
    expect((await worker.fetch('/camera/d1%3Bc1/image')).status).toBe(200);
  });

  it('answers bad faults with every problem and changes nothing', async () => {
    worker = await TestWorker.startQuiet();
    const response = await worker.putFaults({ refuse: 'c1', offline: [''], extra: true });
    expect(response.status).toBe(400);
    const { message } = (await response.json()) as { message: string[] };
    expect(message.join('\n')).toMatch(/refuse[^]*offline[^]*extra/);
    expect(await (await worker.fetch('/faults')).json()).toEqual({ refuse: [], offline: [] });
  });

  it('hides the faults unless control is on', async () => {
    worker = await TestWorker.startQuiet({ CONTROL: 'off' });
    expect((await worker.fetch('/faults')).status).toBe(404);
    expect((await worker.putFaults({ refuse: ['c1'] })).status).toBe(404);
    expect((await worker.stats()).faults.refuse).toEqual([]);
  });
});
