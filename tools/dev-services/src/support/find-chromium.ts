import { accessSync, constants } from 'node:fs';
import { findOnPath } from './find-on-path.js';
import { ProgramUnavailableError } from './program-unavailable.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Absolute path of a Chromium: CHROMIUM_PATH if set, else the first one in PATH.
 * @throws ProgramUnavailableError; Error if CHROMIUM_PATH does not name an executable.
 */
export function findChromium(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = env.CHROMIUM_PATH;
  if (given) {
    try {
      accessSync(given, constants.X_OK);
    } catch (cause) {
      throw new Error(`CHROMIUM_PATH: ${given} cannot be run; set it to the executable of a Chromium`, {
        cause,
      });
    }
    return given;
  }
  for (const name of NAMES) {
    const file = findOnPath(name, env.PATH ?? '');
    if (file !== null) return file;
  }
  throw new ProgramUnavailableError('Chromium', `none of ${NAMES.join(', ')} is in PATH`, [
    'install it with the package manager: "apt install chromium", "brew install --cask chromium"',
    'set CHROMIUM_PATH to the executable of a Chromium or Chrome',
  ]);
}
