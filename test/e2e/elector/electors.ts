import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { ElectorProcess } from './elector-process.js';

/** What a leader runs, for tests that do not look at it. */
export const COMMANDS = ['--leader-begin-command', 'echo begin', '--leader-end-command', 'echo end'];

/** Electors that end with the test that started them, and a directory that ends with its file. */
export function useElectors() {
  let directory: string;
  const processes: ElectorProcess[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'elector-'));
  });
  // A command of an instance that was killed writes until its guard kills it.
  afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));
  afterEach(() => {
    for (const each of processes.splice(0)) {
      each.signal('SIGCONT');
      each.kill();
    }
  });

  return {
    start(args: readonly string[], env?: Readonly<Record<string, string>>): ElectorProcess {
      const started = ElectorProcess.start(args, env);
      processes.push(started);
      return started;
    },
    /** The path of a file for the commands of electors. */
    fileOf: (name: string): string => join(directory, name),
  };
}
