import type { ProcessRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { processName, processNames } from './process-text.js';

const row = (processId: string, identifier: string) => ({ processId, identifier }) as ProcessRow;

describe('processNames', () => {
  const names = processNames({
    'a:1111': row('a:1111', 'a'),
    'b:2222': row('b:2222', 'b'),
    'b:3333': row('b:3333', 'b'),
  });

  it('distinguishes processes of the same name', () => {
    expect([...names.values()]).toEqual(['a', 'b …2222', 'b …3333']);
  });

  it('names a process that is gone by its id', () => {
    expect(processName('c:4444')).toBe('c:4444');
  });
});
