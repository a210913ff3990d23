import { describe, expect, it } from 'vitest';
import { parseWait, processorWait } from './process-state.js';

describe('processorWait', () => {
  it('reads the time waited in milliseconds', () => {
    expect(parseWait('9021340 2500000 37\n')).toBe(2.5);
    expect(parseWait('rubbish')).toBeNull();
  });

  it('is null for a process that does not exist', () => {
    expect(processorWait(2 ** 30)).toBeNull();
  });
});
