// Reduces a built tree to what one workspace needs to run: its packages without development dependencies, and package.json
// and dist of the workspaces that it depends on. For the Dockerfile; it removes files of the current folder.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const SCOPE = 'node_modules/@detector-cluster';
const [start] = process.argv.slice(2);
const workspaces = ['libs', 'apps', 'tools']
  .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
  .filter((folder) => existsSync(join(folder, 'package.json')));
if (!workspaces.includes(start)) {
  console.error(`usage: node tools/image-files.mjs <workspace>, one of ${workspaces.join(', ')}`);
  process.exit(2);
}

// Optional and peer dependencies are for features. A workspace that uses such a feature has the package as a dependency.
const omitted = ['dev', 'optional', 'peer'].map((kind) => `--omit=${kind}`);
const flags = [...omitted, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
execFileSync('npm', ['ci', ...flags, '--workspace', start], { stdio: 'inherit' });

const manifests = new Map(
  workspaces.map((folder) => [folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))]),
);
const needed = new Set([start]);
// The iteration of a set includes members that are added during it.
for (const folder of needed)
  for (const [other, { name }] of manifests)
    if (name in (manifests.get(folder).dependencies ?? {})) needed.add(other);

for (const [folder, { name }] of manifests)
  if (!needed.has(folder)) {
    rmSync(folder, { recursive: true });
    rmSync(join(SCOPE, name.split('/')[1]), { force: true });
  } else
    for (const entry of readdirSync(folder))
      if (!['dist', 'node_modules', 'package.json'].includes(entry))
        rmSync(join(folder, entry), { recursive: true });

for (const folder of needed)
  if (existsSync(join(folder, 'dist')))
    for (const file of readdirSync(join(folder, 'dist'), { recursive: true }))
      if (/\.d\.ts$|\.map$|\.tsbuildinfo$/.test(file)) rmSync(join(folder, 'dist', file));
