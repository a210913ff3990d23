import { describe, expect, it } from 'vitest';
import { readPulse } from './pulse.schema.js';
import { detectionAt, pulseOf } from './pulse.fixture.js';

const AT = '2026-01-01T00:00:00.000Z';

describe('readPulse', () => {
  it('reads the pulses of processes, without unknown fields', () => {
    const pulse = pulseOf('a', {}, { detections: [detectionAt(AT)] });
    expect(readPulse(JSON.stringify({ ...pulse, more: 1 }))).toEqual(pulse);
  });

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['another version', JSON.stringify({ ...pulseOf('a'), version: 1 })],
    ['no name', JSON.stringify(pulseOf(''))],
    ['a time that is none', JSON.stringify(pulseOf('a', { startedAt: 'yesterday' }))],
    ['a figure that is text', JSON.stringify({ ...pulseOf('a'), skippedDetections: '1' })],
    [
      'more detections than a pulse has',
      JSON.stringify(pulseOf('a', {}, { detections: Array.from({ length: 21 }, () => detectionAt(AT)) })),
    ],
    [
      'a summary that was not cut',
      JSON.stringify(pulseOf('a', {}, { detections: [{ ...detectionAt(AT), summary: 'x'.repeat(501) }] })),
    ],
    ['very much', `${JSON.stringify(pulseOf('a'))}${' '.repeat(300_000)}`],
  ])('refuses %s', (_name, text) => {
    expect(readPulse(text)).toBeNull();
  });
});
