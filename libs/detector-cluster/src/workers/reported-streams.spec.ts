import type { StateReportMessage } from '@detector-cluster/worker-protocol';
import { describe, expect, it } from 'vitest';
import { ReportedStreams } from './reported-streams.js';

const camera = (subscriptionIdentifier: string, online = true, modelId = 1) => ({
  subscriptionIdentifier,
  online,
  modelId,
});
const report = (...cameraConnections: ReturnType<typeof camera>[]) =>
  ({ type: 'stateReport', cameraConnections }) as unknown as StateReportMessage;

describe('ReportedStreams', () => {
  it('names the streams that began, changed or ended', () => {
    const streams = new ReportedStreams();
    expect(streams.note(report(camera('d1;c1'), camera('d2;c2'), camera('d3;c3'))).changed).toEqual([
      'd1;c1',
      'd2;c2',
      'd3;c3',
    ]);
    const { changed, offline } = streams.note(
      report(camera('d2;c2', false), camera('d3;c3'), camera('d4;c4')),
    );
    expect(changed.toSorted()).toEqual(['d1;c1', 'd2;c2', 'd4;c4']);
    expect(offline).toEqual(['d1;c1', 'd2;c2']);
    expect(streams.ids).toEqual(['d2;c2', 'd3;c3', 'd4;c4']);
  });

  it('keeps its maps and lists while nothing changes', () => {
    const streams = new ReportedStreams();
    streams.note(report(camera('d2;c2'), camera('d1;c1')));
    const { byId, ids } = streams;
    expect(streams.note(report(camera('d1;c1'), camera('d2;c2'))).changed).toEqual([]);
    expect(streams.byId).toBe(byId);
    expect(streams.ids).toBe(ids);
  });

  it('says when a picture was last reported', () => {
    const streams = new ReportedStreams();
    expect(streams.note(report(camera('d1;c1'), camera('d2;c2', false))).before).toBe(0);
    const seenAt = streams.seenAt('d1;c1');
    expect(seenAt).toBeGreaterThan(0);
    expect(streams.seenAt('d2;c2')).toBeNull();
    expect(streams.note(report(camera('d2;c2'))).before).toBe(seenAt);
  });
});
