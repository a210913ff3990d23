import { describe, expect, it } from 'vitest';
import { loadPg } from './feed-connection.js';

describe('loadPg', () => {
  it('finds the package', async () => {
    expect(typeof (await loadPg()).Client).toBe('function');
  });

  it('names the option and the remedy if the package is missing', async () => {
    await expect(loadPg(() => import('pg-that-is-not-installed' as string))).rejects.toMatchObject({
      code: 'MISSING_PG',
      message: expect.stringMatching(/^changeFeed: needs the package "pg".*npm install pg/s),
    });
  });
});
