import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('firstViewLimit', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'first-view-'));
    await writeFile(join(folder, 'index.html'), '<script type="module" src="/main.js"></script>');
    await writeFile(join(folder, 'main.js'), `document.title = '${randomBytes(4_000).toString('hex')}';`);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // In a process of its own, as in a build.
  async function buildWith(limit: number): Promise<unknown> {
    const config = join(folder, 'vite.config.mjs');
    const plugin = JSON.stringify(join(import.meta.dirname, 'first-view-limit.ts'));
    await writeFile(
      config,
      `import { firstViewLimit } from ${plugin};\nexport default { plugins: [firstViewLimit(${limit})] };\n`,
    );
    const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
    return promisify(execFile)(process.execPath, [vite, 'build', folder, '--config', config]);
  }

  it('fails a build above the limit, and says by how much', async () => {
    await expect(buildWith(1_000)).rejects.toMatchObject({
      stderr: expect.stringMatching(/loads \d+ bytes of gzipped script, 1000 are allowed/),
    });
  });

  it('passes a build below the limit', async () => {
    await expect(buildWith(100_000)).resolves.toMatchObject({
      stdout: expect.stringContaining('index.html'),
    });
  });
});
