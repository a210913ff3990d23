import { setTimeout as sleep } from 'node:timers/promises';
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

  it('goes silent with its sockets open, and speaks again', async () => {
    worker = await TestWorker.start({ STATE_REPORT_INTERVAL: '20', DETECTIONS_PER_SECOND: '100' });
    const master = await worker.connect(1);
    master.subscribe('d1;c1');
    await until('detections', () => master.detections.length > 0);
    await worker.putFaults({ silentAfterMs: 0 });
    const { stateReportsSent } = await worker.stats();
    await until('detections that wait', async () => (await worker.stats()).unconfirmed > 10);
    const heard = master.messages.length;
    await sleep(100);
    expect(master.messages.length).toBe(heard);
    expect((await worker.stats()).stateReportsSent).toBe(stateReportsSent);
    expect(master.closed).toBeUndefined();
    await worker.putFaults({});
    await until('reports again', () => master.messages.length > heard);
  });

  it('goes silent only after the given time', async () => {
    worker = await TestWorker.start({ STATE_REPORT_INTERVAL: '20', FAULT_SILENT_AFTER_MS: '600000' });
    const master = await worker.connect(1);
    await until('a regular report', () => master.reports.length > 1);
    await worker.putFaults({ silentAfterMs: 100 });
    await until('silence', async () => {
      const before = master.messages.length;
      await sleep(150);
      return master.messages.length === before;
    });
  });

  it('closes every socket after the given time, also those that were open before', async () => {
    worker = await TestWorker.startQuiet({ FAULT_CLOSE_AFTER_MS: '50' });
    const master = await worker.connect(1);
    expect((await until('the close', () => master.closed)).code).toBe(1011);
    await worker.putFaults({});
    const second = await worker.connect(1);
    await sleep(150);
    expect(second.closed).toBeUndefined();
    await worker.putFaults({ closeAfterMs: 0 });
    expect((await until('the close', () => second.closed)).code).toBe(1011);
  });

  it('answers bad faults with every problem and changes nothing', async () => {
    worker = await TestWorker.startQuiet();
    const response = await worker.putFaults({ refuse: 'c1', silentAfterMs: -1, extra: true });
    expect(response.status).toBe(400);
    const { message } = (await response.json()) as { message: string[] };
    expect(message.join('\n')).toMatch(/refuse[^]*silentAfterMs[^]*extra/);
    expect(await (await worker.fetch('/faults')).json()).toEqual({
      refuse: [],
      offline: [],
      silentAfterMs: null,
      closeAfterMs: null,
    });
  });

  it('hides the faults unless control is on', async () => {
    worker = await TestWorker.startQuiet({ CONTROL: 'off' });
    expect((await worker.fetch('/faults')).status).toBe(404);
    expect((await worker.putFaults({ refuse: ['c1'] })).status).toBe(404);
    expect((await worker.stats()).faults.refuse).toEqual([]);
  });
});
