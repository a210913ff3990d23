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
