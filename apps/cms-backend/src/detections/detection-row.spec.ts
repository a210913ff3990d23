import { describe, expect, it } from 'vitest';
import { received } from './stored.fixture.js';
import { labelKey, toRow } from './detection-row.js';

describe('the row of a detection', () => {
  it('has the fields that the page shows', () => {
    const data = {
      detection: {
        licensePlateText: 'dc-00 42',
        licensePlateConfidence: 0.9,
        boxes: [{ x: 10, y: 20, width: 30, height: 40 }],
        frameWidth: 100,
        frameHeight: 100,
        pictureId: 'p1',
      },
    };
    expect(toRow(received('1', { data }), 'node')).toEqual({
      detectionId: '1',
      subscriptionIdentifier: 'display;camera',
      cameraIdentifier: 'camera',
      workerUrl: 'ws://w',
      processId: 'node',
      detectedAt: new Date('2026-01-01T00:00:00.000Z'),
      receivedAt: new Date('2026-01-01T00:00:01.000Z'),
      redelivered: false,
      label: 'dc-00 42',
      labelKey: 'DC0042',
      confidence: 0.9,
      boxes: [[0.1, 0.2, 0.3, 0.4]],
      pictureId: 'p1',
      summary: JSON.stringify(data),
    });
  });

  it.each([
    ['dc 0042', 'DC0042'],
    ['  ＤＣ-0042 ', 'DC0042'],
    ['straße', 'STRASSE'],
    ['-- !', ''],
    ['ß'.repeat(128), 'S'.repeat(128)],
  ])('is found by the label %j as %j', (label, key) => expect(labelKey(label)).toBe(key));

  it('has the time of its arrival where the worker reports one that no database can keep', () => {
    for (const timestamp of ['+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', 'yesterday'])
      expect(toRow(received('1', { timestamp }), 'n')?.detectedAt).toEqual(
        new Date('2026-01-01T00:00:01.000Z'),
      );
  });

  it('does not exist for an id that is too long', () => {
    expect(toRow(received('x'.repeat(257)), 'n')).toBeNull();
  });
});
