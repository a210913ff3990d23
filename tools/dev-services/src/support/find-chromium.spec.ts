import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.js';
import { ProgramUnavailableError } from './program-unavailable.js';

describe('findChromium', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const program = async (name: string, mode = 0o755) => {
    const file = join(folder, name);
    await writeFile(file, '', { mode });
    return file;
  };

  it('takes the first known name in any folder of PATH', async () => {
    const chrome = await program('google-chrome');
    const PATH = ['/nowhere', folder].join(delimiter);
    expect(findChromium({ PATH })).toBe(chrome);
    const chromium = await program('chromium');
    expect(findChromium({ PATH })).toBe(chromium);
  });

  it('prefers CHROMIUM_PATH, and reports if it cannot be run', async () => {
    await program('chromium');
    const own = await program('own');
    expect(findChromium({ PATH: folder, CHROMIUM_PATH: own })).toBe(own);
    const missing = join(folder, 'missing');
    expect(() => findChromium({ PATH: folder, CHROMIUM_PATH: missing })).toThrow(
      `CHROMIUM_PATH: ${missing} cannot be run`,
    );
  });

  it('names the programs it looked for and how to get one', async () => {
    await program('chromium', 0o644);
    expect(() => findChromium({ PATH: folder })).toThrow(ProgramUnavailableError);
    expect(() => findChromium({ PATH: folder })).toThrow(/apt install chromium[^]*CHROMIUM_PATH/);
  });
});
