import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { firstViewBytes, type Bundle } from './first-view-limit.js';

const chunk = (kilobytes: number, imports: string[] = [], isEntry = false) => ({
  type: 'chunk' as const,
  code: randomBytes(kilobytes * 500).toString('hex'),
  isEntry,
  imports,
});

describe('firstViewBytes', () => {
  const bundle: Bundle = {
    'index.js': chunk(40, ['shared.js'], true),
    'shared.js': chunk(20, ['index.js', 'elsewhere.js']),
    'chart.js': chunk(90, ['shared.js']),
    'index.css': { type: 'asset' },
  };

  it('counts what is loaded at once, each file once, and nothing that is loaded when needed', () => {
    const bytes = firstViewBytes(bundle);
    // Random hexadecimal digits are compressed to a little more than half.
    expect(bytes).toBeGreaterThan(30_000);
    expect(bytes).toBeLessThan(45_000);
  });

  it('counts nothing without an entry', () => {
    expect(firstViewBytes({ 'chart.js': chunk(1) })).toBe(0);
  });
});
