import { describe, expect, it } from 'vitest';
import { parseStolen, parseTimes, processorWait } from './process-state.js';

describe('the times of a process', () => {
  it('reads the times in milliseconds', () => {
    expect(parseTimes('9021340 2500000 37\n')).toEqual({ ran: 9.02134, waited: 2.5 });
    expect(parseTimes('rubbish')).toBeNull();
  });

  it('is null for a process that does not exist', () => {
    expect(processorWait(2 ** 30)).toBeNull();
  });
});

describe('stolenTime', () => {
  it('reads the time of all processors in milliseconds', () => {
    expect(parseStolen('cpu  1410897 180035 242042 1110955 10039 0 22939 126922 0 0\ncpu0 1 2 3\n')).toBe(
      1_269_220,
    );
    expect(parseStolen('rubbish')).toBe(0);
  });
});
