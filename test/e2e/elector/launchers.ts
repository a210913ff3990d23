import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, ProgramUnavailableError } from '@detector-cluster/dev-services';
import { PROGRAM } from './elector-process.js';

/** A program that runs a command; `direct` is the command by itself. */
export type Launcher = 'direct' | 'elector' | 'flock' | 'tini' | 'dumb-init';

async function programOf(name: string, packageName: string, ...args: readonly string[]) {
  try {
    return [...(await findProgram({ name, package: packageName, programsOnly: true })), ...args];
  } catch (error) {
    if (process.env.CI || !(error instanceof ProgramUnavailableError)) throw error;
    return error;
  }
}

/** What stands before the command, or why this machine does not have the program. */
export const LAUNCHERS: Readonly<Record<Launcher, readonly string[] | ProgramUnavailableError>> = {
  direct: [],
  elector: [PROGRAM, 'exec', '--backend', 'memory', '--'],
  flock: await programOf('flock', 'util-linux', join(mkdtempSync(join(tmpdir(), 'flock-')), 'lock')),
  tini: await programOf('tini', 'tini', '-s', '--'),
  'dumb-init': await programOf('dumb-init', 'dumb-init', '--'),
};
