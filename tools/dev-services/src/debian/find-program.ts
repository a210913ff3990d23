import { findOnPath } from '../support/find-on-path.js';
import { debianHost } from './debian-host.js';
import { debianPackage, unpackedCommand } from './debian-package.js';
import { messageOf, ProgramUnavailableError } from '../support/program-unavailable.js';

/** A program and its package. */
interface WantedProgram {
  /** Name of the executable. */
  name: string;
  /** Name of the distribution's package that holds it. */
  package: string;
  /** Where the package has it. Default `usr/bin`. */
  folder?: 'usr/sbin';
  /** Whether the program does not need `/usr/share`, which is then not kept. */
  programsOnly?: boolean;
}

/**
 * Command line of a program: from PATH, else from the distribution's package, unpacked privately.
 * @throws ProgramUnavailableError
 */
export async function findProgram(wanted: WantedProgram): Promise<string[]> {
  const file = findOnPath(wanted.name);
  if (file) return [file];
  try {
    const host = await debianHost();
    const { package: name, folder = 'usr/bin', programsOnly } = wanted;
    const root = await debianPackage(host, { name, suite: host.suite, programsOnly });
    return unpackedCommand(root, `${folder}/${wanted.name}`);
  } catch (error) {
    const { name, package: packageName } = wanted;
    throw new ProgramUnavailableError(
      name,
      `none in PATH, and none could be fetched from the distribution (${messageOf(error)})`,
      [
        `install it with the package manager: "apt install ${packageName}", "brew install ${name}"`,
        `unpack a release of ${name} and put its folder into PATH`,
        'give this machine an apt source of its distribution; the package is then fetched by itself',
      ],
      error,
    );
  }
}
