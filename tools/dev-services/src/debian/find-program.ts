import { findOnPath } from '../support/find-on-path.js';
import { debianHost } from './debian-host.js';
import { debianPackage } from './debian-package.js';
import { unpackedCommand } from './unpacked-command.js';

/** A server program is unavailable on this machine. The message names three ways to get it. */
export class ProgramUnavailableError extends Error {
  override readonly name = 'ProgramUnavailableError';

  constructor(
    /** Name of the executable. */
    readonly program: string,
    packageName: string,
    cause: unknown,
  ) {
    super(
      [
        `No ${program}: none in PATH, and none could be fetched from the distribution`,
        `(${cause instanceof Error ? cause.message : String(cause)}).`,
        'Three ways to get one:',
        `  1. install it with the package manager: "apt install ${packageName}", "brew install ${program}"`,
        `  2. unpack a release of ${program} and put its folder into PATH`,
        '  3. give this machine an apt source of its distribution; the package is then fetched by itself',
      ].join('\n'),
      { cause },
    );
  }
}

/** A program and its package. */
export interface WantedProgram {
  /** Name of the executable. */
  name: string;
  /** Name of the distribution's package that holds it under `/usr/bin`. */
  package: string;
  /** Whether the program does not need `/usr/share`, which is then not kept. */
  programsOnly?: boolean;
}

/**
 * Command line of a program: from PATH, else from the distribution's package, unpacked privately.
 * @throws ProgramUnavailableError
 */
export async function findProgram(
  wanted: WantedProgram,
  notify?: (message: string) => void,
): Promise<string[]> {
  const file = findOnPath(wanted.name);
  if (file) return [file];
  try {
    const host = await debianHost();
    const { package: name, programsOnly } = wanted;
    const root = await debianPackage(host, { name, suite: host.suite, programsOnly, notify });
    return unpackedCommand(root, `usr/bin/${wanted.name}`);
  } catch (error) {
    throw new ProgramUnavailableError(wanted.name, wanted.package, error);
  }
}
