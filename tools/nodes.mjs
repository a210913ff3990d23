// Runs a command under other versions of Node: `node tools/nodes.mjs [--newest] <command> [argument]…`. Each version is the latest of its
// major in the registry's package of Node's binary, which npm keeps in its own cache.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

const MAJORS = [22, 24, 26];
const isWindows = process.platform === 'win32';

function run(command, args, options) {
  const result = spawnSync(command, args, { stdio: 'inherit', shell: isWindows, ...options });
  if (result.error) throw result.error;
  return result;
}

/** The folder with the `node` of this major. */
function folderOf(major) {
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}@${major}`;
  const flags = ['--yes', '--ignore-scripts', `--package=${name}`];
  const { status, stdout } = run('npm', ['exec', ...flags, '--', 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm has no ${name}`);
  return dirname(stdout.trim());
}

/**
 * The environment of a process in whose PATH the `node` of this major is the first. It then also runs npm and the programs that npm
 * starts.
 */
export const environmentOf = (major) => ({
  ...process.env,
  PATH: folderOf(major) + delimiter + process.env.PATH,
});

function main(args) {
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
    const env = environmentOf(major);
    console.log(`\n==> Node ${major}: ${[command, ...rest].join(' ')}`);
    if (run(command, rest, { env }).status !== 0) failed.push(major);
  }
  if (failed.length > 0) {
    console.error(`failed on Node ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
