import { accessSync, constants } from 'node:fs';
import { findOnPath } from '../support/find-on-path.js';

/** No Chromium is available on this machine. The message names ways to get one. */
export class NoChromiumError extends Error {
  override readonly name = 'NoChromiumError';

  constructor(names: readonly string[]) {
    super(
      [
        `No Chromium: none of ${names.join(', ')} is in PATH.`,
        'Two ways to get one:',
        '  1. install it with the package manager: "apt install chromium", "brew install --cask chromium"',
        '  2. set CHROMIUM_PATH to the executable of a Chromium or Chrome',
      ].join('\n'),
    );
  }
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Absolute path of a Chromium: CHROMIUM_PATH if set, else the first one in PATH.
 * @throws NoChromiumError; Error if CHROMIUM_PATH does not name an executable.
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
  throw new NoChromiumError(NAMES);
}
