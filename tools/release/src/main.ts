import getReleasePlan from '@changesets/get-release-plan';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addRelease, toRelease } from './add-release.js';

/** `npm run release:version`: raises the versions by the changesets, and writes the changelog. Publishes nothing. */
async function main(root: string): Promise<void> {
  const plan = await getReleasePlan(root);
  const manifest = await readFile(join(root, 'libs/election/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const release = toRelease(plan, version, new Date());
  const changelog = join(root, 'CHANGELOG.md');
  await writeFile(changelog, addRelease(await readFile(changelog, 'utf8'), release));
  const run = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: root, stdio: 'inherit' });
  if (plan.changesets.length > 0) run('npx', 'changeset', 'version');
  run('npm', 'install', '--package-lock-only', '--ignore-scripts');
  run(
    'npx',
    'prettier',
    '--log-level',
    'warn',
    '--write',
    'CHANGELOG.md',
    '{libs,apps,tools,samples}/*/package.json',
  );
  console.log(`${release.version}: look at the changes, commit them, then run npm run release:publish`);
}

try {
  await main(process.cwd());
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
