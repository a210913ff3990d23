import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { debianHost, type DebianHost } from '../debian/debian-host.js';
import { debianPackage, unpackedCommand } from '../debian/debian-package.js';
import { findOnPath } from '../support/find-on-path.js';
import { runCommand } from '../support/run-command.js';
import { messageOf, ProgramUnavailableError } from '../support/program-unavailable.js';

/**
 * `'8'`: the server can expire single fields of a hash (`HSETEX`): Redis from 8.0, Valkey from 9.0. `'7'`: Redis 6.2 to
 * 7.4, Valkey 7.2 to 8, which cannot.
 */
export type RedisGeneration = '7' | '8';

/** A server of the wanted generation is unavailable here, although others may be available. Tests that need it are skipped. */
export class RedisGenerationUnavailableError extends Error {
  override readonly name = 'RedisGenerationUnavailableError';

  constructor(
    readonly generation: RedisGeneration,
    cause: unknown,
  ) {
    super(`no Redis of generation ${generation} can be had here: ${messageOf(cause)}`, { cause });
  }
}

/** The generations that are available on this machine, the older first. */
export async function availableRedisGenerations(): Promise<RedisGeneration[]> {
  const available: RedisGeneration[] = [];
  for (const generation of ['7', '8'] as const)
    try {
      await findRedis(generation);
      available.push(generation);
    } catch (error) {
      if (!(error instanceof RedisGenerationUnavailableError)) throw error;
    }
  return available;
}

/** A server program on this machine. */
export interface RedisProgram {
  command: string[];
  product: 'redis' | 'valkey';
  version: string;
  generation: RedisGeneration;
}

/** Releases of Debian whose archive holds each generation. */
const DEBIAN_SUITE: Record<RedisGeneration, string> = { '7': 'bookworm', '8': 'trixie' };

/**
 * Finds a server program: `redis-server` or `valkey-server` in PATH if it is of the wanted generation, else the
 * distribution's package, unpacked privately.
 * @throws ProgramUnavailableError, RedisGenerationUnavailableError
 */
export async function findRedis(
  wanted: RedisGeneration | 'any',
  notify?: (message: string) => void,
): Promise<RedisProgram> {
  for (const name of ['redis-server', 'valkey-server']) {
    const file = findOnPath(name);
    const program = file && (await describe([file]).catch(() => null));
    if (program && (wanted === 'any' || program.generation === wanted)) return program;
  }
  try {
    const host = await debianHost();
    const root = await debianPackage(host, { name: 'redis-tools', suite: suiteFor(host, wanted), notify });
    const program = await describe(await commandIn(root));
    if (wanted !== 'any' && program.generation !== wanted)
      throw new Error(`the distribution's package is ${program.product} ${program.version}`);
    return program;
  } catch (error) {
    if (wanted !== 'any') throw new RedisGenerationUnavailableError(wanted, error);
    throw new ProgramUnavailableError(
      'Redis server',
      `none in PATH, and none could be fetched from the distribution (${messageOf(error)})`,
      [
        'set REDIS_URL to a server that runs, for example REDIS_URL=redis://127.0.0.1:6379',
        'install redis or valkey with the package manager: "apt install redis-server", "brew install redis"',
        'start one in a container: "docker compose up -d redis", then set REDIS_URL',
      ],
      error,
    );
  }
}

function suiteFor(host: DebianHost, wanted: RedisGeneration | 'any'): string {
  return wanted === 'any' || host.distribution !== 'debian' ? host.suite : DEBIAN_SUITE[wanted];
}

/** Server and checker are one program that acts by its own name, and `redis-tools` contains it under the checker's name. */
async function commandIn(root: string): Promise<string[]> {
  await symlink('redis-check-rdb', join(root, 'usr/bin/redis-server')).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return unpackedCommand(root, 'usr/bin/redis-server');
}

async function describe(command: string[]): Promise<RedisProgram> {
  const text = await runCommand(command[0]!, [...command.slice(1), '--version']);
  const found = parseRedisVersion(text);
  if (!found?.generation) throw new Error(`${command.at(-1)} is no Redis server from 6.2 on: ${text.trim()}`);
  return { ...found, generation: found.generation, command };
}

/** Product and version from the output of `redis-server --version`; `null` for any other output. */
export function parseRedisVersion(
  text: string,
): { product: 'redis' | 'valkey'; version: string; generation: RedisGeneration | null } | null {
  const match = /^(Redis|Valkey) server v=(\d+)\.(\d+)([.\w-]*)/im.exec(text);
  if (!match) return null;
  const product = match[1]!.toLowerCase() as 'redis' | 'valkey';
  const [major, minor] = [Number(match[2]), Number(match[3])];
  const tooOld = major < 6 || (major === 6 && minor < 2);
  const newest = major >= (product === 'redis' ? 8 : 9);
  return {
    product,
    version: `${major}.${minor}${match[4]}`,
    generation: tooOld ? null : newest ? '8' : '7',
  };
}
