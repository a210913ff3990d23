// Runs a command under other versions of Node: `node tools/nodes.mjs [--newest] <command> [argument]…`. Each version is the latest of its
// major in the registry's package of Node's binary, and is kept in node_modules/.cache, so that `npm ci` clears it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAJORS = [22, 24, 26];
const CACHE = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/.cache/detector-cluster');
const isWindows = process.platform === 'win32';

function run(command, args, options = {}) {
  const { error, status } = spawnSync(command, args, { stdio: 'inherit', shell: isWindows, ...options });
  if (error) throw error;
  return status ?? 1;
}

/** The folder with the `node` of this major; downloads it if it is not there. */
function folderOf(major) {
  const platform = `${isWindows ? 'win' : process.platform}-${process.arch}`;
  const home = join(CACHE, `node-${major}-${platform}`);
  const bin = join('node_modules', `node-${platform}`, 'bin');
  if (existsSync(join(home, bin))) return join(home, bin);
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(join(CACHE, 'node-'));
  writeFileSync(join(partial, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  try {
    if (run('npm', ['install', ...flags, `node-${platform}@${major}`], { cwd: partial }) !== 0)
      throw new Error(`npm has no Node ${major} for ${platform}`);
    renameSync(partial, home);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return join(home, bin);
}

const args = process.argv.slice(2);
const newest = args[0] === '--newest';
const [command, ...rest] = newest ? args.slice(1) : args;
if (command === undefined) {
  console.error('usage: node tools/nodes.mjs [--newest] <command> [argument]…');
  process.exit(1);
}
const failed = [];
const present = Number(process.versions.node.split('.')[0]);
const majors = newest ? MAJORS.slice(-1).filter((major) => major > present) : MAJORS;
if (majors.length === 0) console.log(`this is Node ${present}: there is no newer version to test`);
for (const major of majors) {
  const env = { ...process.env, PATH: folderOf(major) + delimiter + process.env.PATH };
  console.log(`\n==> Node ${major}: ${[command, ...rest].join(' ')}`);
  // The first `node` in PATH also runs npm and the programs that npm starts.
  if (run(command, rest, { env }) !== 0) failed.push(major);
}
if (failed.length > 0) {
  console.error(`failed on Node ${failed.join(', ')}`);
  process.exitCode = 1;
}
