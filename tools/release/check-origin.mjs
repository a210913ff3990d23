// Fails unless this is a clone of the repository in the packages' manifests: npm links to it, and checks provenance against it.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicPackages } from './stage-package.mjs';

const plain = (url) =>
  url
    .trim()
    .replace(/^git\+/, '')
    .replace(/\.git$/, '')
    .replace(/^git@([^:]+):/, 'https://$1/');

function origin() {
  try {
    return plain(execFileSync('git', ['remote', 'get-url', 'origin'], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return 'no remote "origin"';
  }
}

const here = origin();
for (const folder of await publicPackages()) {
  const { name, repository } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (plain(repository.url) === here) continue;
  console.error(
    `${name} names the repository ${plain(repository.url)}, but this clone has ${here}: correct either`,
  );
  process.exitCode = 1;
}
