import { describe, expect, it } from 'vitest';
import { runExample } from '../../../test/support/run-example.js';
import * as placement from './index.js';

describe('the example of the README', () => {
  it('plans 1,000 cameras, and moves only those of a worker that is gone', async () => {
    const lines = await runExample(new URL('../README.md', import.meta.url), {
      '@detector-cluster/placement': placement,
    });
    expect(lines).toEqual([
      '1000 cameras placed',
      'fewest and most: 100 100',
      '100 cameras moved',
      '0 cameras without a worker',
    ]);
  });
});
