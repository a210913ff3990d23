import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../support/run-command.js';
import type { DebianHost } from './debian-host.js';

/**
 * Downloads a package with all its dependencies into `directory` and returns the paths of the archives. apt keeps its own
 * state there: it neither uses nor changes the machine's lists, caches and installed packages, runs no hook of the machine,
 * and does not need root. Only the settings for fetching (`Acquire`: proxies, …) are the machine's.
 * @throws Error with the failure of every mirror.
 */
export async function downloadPackages(
  host: DebianHost,
  name: string,
  suite: string,
  directory: string,
): Promise<string[]> {
  const failures: string[] = [];
  for (const [index, mirror] of host.mirrors.entries()) {
    try {
      return await fromMirror(host, mirror, name, suite, join(directory, `apt-${index}`));
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  throw new Error(`cannot download ${name} of ${suite}:\n${failures.join('\n')}`);
}

async function fromMirror(
  host: DebianHost,
  mirror: string,
  name: string,
  suite: string,
  directory: string,
): Promise<string[]> {
  const archives = join(directory, 'cache', 'archives');
  await mkdir(join(directory, 'lists', 'partial'), { recursive: true });
  await mkdir(join(archives, 'partial'), { recursive: true });
  // An empty status file: every dependency counts as missing, down to the C library.
  await writeFile(join(directory, 'status'), '');
  const options = [`arch=${host.architecture}`, ...(host.keyring ? [`signed-by=${host.keyring}`] : [])];
  await writeFile(join(directory, 'sources.list'), `deb [${options.join(' ')}] ${mirror} ${suite} main\n`);
  const config = join(directory, 'apt.conf');
  await writeFile(config, await configuration(directory));
  const env = { ...process.env, APT_CONFIG: config, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  await runCommand('apt-get', ['update', '--error-on=any', '-qq'], { env, timeout: 120_000 });
  await runCommand('apt-get', ['install', '-qq', '--no-install-recommends', '--download-only', name], {
    env,
    timeout: 300_000,
  });
  const files = (await readdir(archives)).filter((file) => file.endsWith('.deb'));
  if (files.length === 0) throw new Error(`apt downloaded nothing for ${name}`);
  return files.map((file) => join(archives, file));
}

async function configuration(directory: string): Promise<string> {
  const acquire = (await runCommand('apt-config', ['dump']))
    .split('\n')
    .filter((line) => line.startsWith('Acquire'));
  return [
    ...acquire,
    'Acquire::Languages "none";',
    'Acquire::Retries "2";',
    'Acquire::http::Timeout "20";',
    'Acquire::https::Timeout "20";',
    'Dir::Etc::main "/dev/null";',
    'Dir::Etc::parts "/dev/null";',
    'Dir::Etc::preferences "/dev/null";',
    'Dir::Etc::preferencesparts "/dev/null";',
    'Dir::Etc::sourceparts "/dev/null";',
    `Dir::Etc::sourcelist "${directory}/sources.list";`,
    `Dir::State "${directory}";`,
    `Dir::State::lists "${directory}/lists";`,
    `Dir::State::status "${directory}/status";`,
    `Dir::Cache "${directory}/cache";`,
    `Dir::Log "${directory}";`,
    `APT::Sandbox::User "${userInfo().username}";`,
    'APT::Get::Assume-Yes "true";',
    '',
  ].join('\n');
}
