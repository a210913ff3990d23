import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './elector-process.js';

/** Programs that run a command, by what stands before the command; `direct` is the command by itself. */
export const LAUNCHERS = {
  direct: [],
  elector: [PROGRAM, 'exec', '--backend', 'memory', '--'],
  flock: ['flock', join(mkdtempSync(join(tmpdir(), 'flock-')), 'lock')],
  tini: ['tini', '-s', '--'],
  'dumb-init': ['dumb-init', '--'],
} as const satisfies Record<string, readonly string[]>;

export type Launcher = keyof typeof LAUNCHERS;

/** The reason why a launcher cannot be observed here. */
export function reasonAgainst(launcher: Launcher): string | undefined {
  const [program] = LAUNCHERS[launcher];
  if (program === undefined || spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0)
    return undefined;
  return `${program} is not installed`;
}
