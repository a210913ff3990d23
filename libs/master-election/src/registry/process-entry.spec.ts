import { describe, expect, it } from 'vitest';
import { candidateIdOf, channelOf, parseProcessEntry, type ProcessEntry } from './process-entry.js';

const entry: ProcessEntry = {
  processId: 'cms:1',
  nodeId: 'cms:1',
  identifier: 'cms',
  role: 'slave',
  lastSeen: '2026-01-01T00:00:00.000Z',
  registeredAt: '2026-01-01T00:00:00.000Z',
  capabilities: { canProcessDetections: true, maxSubscriptions: 1, preferredWorkload: 1 },
  metadata: { a: [] },
  bootId: '1',
  showsPresence: false,
  formatLevel: 1,
};

describe('process entry', () => {
  it('survives writing and reading unchanged', () => {
    expect(parseProcessEntry(JSON.stringify(entry))).toEqual(entry);
  });

  it.each(['', 'x', 'null', '1', '[]', '{}', JSON.stringify({ ...entry, bootId: 1 })])(
    'is not read from %p',
    (text) => {
      expect(parseProcessEntry(text)).toBeUndefined();
    },
  );

  it('has a candidate id that is unique for each start', () => {
    expect(candidateIdOf({ nodeId: 'cms:1', bootId: '1' })).toBe('cms:1');
    expect(candidateIdOf({ nodeId: 'given', bootId: '1' })).toBe('given:1');
  });

  it('has a channel derived from its id', () => {
    expect(channelOf('cms:1')).toBe('worker:slave:cms:1');
  });
});
