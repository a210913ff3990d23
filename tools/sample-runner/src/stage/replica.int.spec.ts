import { tempDirectory } from '@detector-cluster/dev-services';
import { eventually } from '@detector-cluster/election/testing';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Replica } from './replica.js';

const TIMEOUT = 20_000;

describe('Replica', () => {
  let directory: string;
  let lines: string[];
  let replica: Replica | undefined;

  beforeEach(async () => {
    directory = await tempDirectory('replica-spec');
    lines = [];
  });
  afterEach(async () => {
    await replica?.stop();
    await rm(directory, { recursive: true });
  });

  const start = async (program: string, env = {}) => {
    const script = join(directory, 'main.mjs');
    await writeFile(script, program);
    return (replica = await Replica.start({
      name: 'replica-1',
      script,
      env,
      onLine: (_replica, text) => lines.push(text),
    }));
  };

  it('reads every line, including the last one of an orderly end', async () => {
    const started = await start(
      `
      process.stdout.write('grüß');
      setTimeout(() => console.log(' dich, ' + process.env.WHO), 100);
      process.once('SIGTERM', () => (console.error('goodbye'), process.exit()));
      setInterval(() => {}, 1_000);
    `,
      { WHO: 'Änne' },
    );
    await eventually('the first line', TIMEOUT, () => lines.length > 0);
    started.check();
    await started.stop();
    replica = undefined;
    expect(lines).toEqual(['grüß dich, Änne', 'goodbye']);
  });

  it('reports an end by itself, but not one on purpose', async () => {
    const started = await start(`console.log('too bad'); process.exit(1);`);
    await eventually('its end', TIMEOUT, () => {
      try {
        started.check();
        return false;
      } catch (error) {
        return (error as Error).message === 'replica-1 has ended';
      }
    });
    expect(lines).toEqual(['too bad']);
    await started.crash();
    expect(() => started.check()).not.toThrow();
  });
});
