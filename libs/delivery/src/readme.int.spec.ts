import * as timers from 'node:timers/promises';
import * as fence from '@detector-cluster/election/fence';
import * as redis from '@detector-cluster/election/redis';
import { describe, expect, it } from 'vitest';
import { runExample } from '../../../test/support/run-example.js';
import * as delivery from './index.js';

describe('the example of the README', () => {
  it('delivers each detection to one of two owners, in order for each subscription', async () => {
    // The example connects to it.
    expect(process.env.REDIS_URL).toBeDefined();
    const lines = await runExample(new URL('../README.md', import.meta.url), {
      'node:timers/promises': timers,
      '@detector-cluster/delivery': delivery,
      '@detector-cluster/election/fence': fence,
      '@detector-cluster/election/redis': redis,
    });
    const got = (camera: number) => lines.filter((line) => line.includes(`camera-${camera} `));
    for (let camera = 0; camera < 10; camera++)
      expect(got(camera).map((line) => line.split(' ').at(-1))).toEqual([`P-${camera}`, `P-${camera + 10}`]);
    expect(lines.filter((line) => !/^[ab] got /.test(line))).toEqual([]);
  });
});
