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

  it.each([
    ['HTTP 404', 'HTTP 404'],
    ['a\u001b[31m\nb', 'a\\u001b[31m\\nb'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), `${'x'.repeat(199)}…`],
    [`${'x'.repeat(198)}\u{1f600}\u{1f600}`, `${'x'.repeat(198)}…`],
    ['\u0000'.repeat(1_000_000), expect.stringMatching(/^(?:\\u0000){33}.?…$/)],
    [null, ''],
  ])('has the reason %j of a model that has failed as text for people', (reason, problem) => {
    const streams = new ReportedStreams();
    const failed = { ...camera('d1;c1'), modelState: 'failed', reason };
    expect(streams.note(report(failed)).changed).toEqual(['d1;c1']);
    expect(streams.byId.get('d1;c1')).toMatchObject({ modelState: 'failed', problem });
    expect(streams.note(report({ ...failed, reason: 'another' } as never)).changed).toEqual(['d1;c1']);
  });

  it('takes the end of loading for a change, and its progress for none', () => {
    const streams = new ReportedStreams();
    const loading = (reason: string) =>
      report({ ...camera('d1;c1'), modelState: 'loading', reason } as never);
    streams.note(loading('10 %'));
    expect(streams.byId.get('d1;c1')).toMatchObject({ modelState: 'loading' });
    expect(streams.note(loading('20 %')).changed).toEqual([]);
    expect(streams.note(report({ ...camera('d1;c1'), modelState: 'ready' } as never)).changed).toEqual([
      'd1;c1',
    ]);
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
