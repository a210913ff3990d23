import { isAlive } from '@detector-cluster/dev-services';
import { describe, expect, it } from 'vitest';
import { descendants } from '../e2e/support/descendants.js';
import { ChaosRun } from './support/chaos-run.js';

describe('chaos, on the command line', () => {
  it('SIGINT: says so, exits 1 and leaves nothing running', async () => {
    const run = new ChaosRun('partition', '--short', '--vanish-ms', '600000');
    try {
      await run.says('workers vanish');
      const started = descendants(run.child.pid!);
      expect(started.length).toBeGreaterThan(4);
      run.child.kill('SIGINT');
      expect(await run.ended).toBe(1);
      expect(await run.result('partition')).toMatchObject({ ok: false, error: 'ended by SIGINT' });
      expect(started.filter(isAlive)).toEqual([]);
    } finally {
      await run.end();
    }
  });

  it('SIGINT ends a run over several seeds with one line of JSON', async () => {
    const run = new ChaosRun('partition', '--short', '--seed', '7', '--seeds', '3', '--vanish-ms', '600000');
    try {
      await run.says('workers vanish');
      run.child.kill('SIGINT');
      expect(await run.ended).toBe(1);
      expect(run.results).toEqual([
        {
          scenario: 'partition',
          ok: false,
          seeds: { first: 7, count: 1 },
          failedSeeds: [7],
          errors: { '7': 'ended by SIGINT' },
          worst: {},
          total: {},
        },
      ]);
    } finally {
      await run.end();
    }
  });

  it.each([
    ['delivry', /unknown scenario: delivry; there are: delivery, fence, partition/],
    ['--seeds=0', /--seeds must be a whole number of at least 1, got "0"/],
  ])('refuses %s with a reason and exits 1', async (argument, reason) => {
    const run = new ChaosRun(argument);
    expect(await run.ended).toBe(1);
    expect(run.log).toMatch(reason);
  });
});
