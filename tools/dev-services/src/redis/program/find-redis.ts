import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { debianHost } from '../../debian/debian-host.js';
import type { DebianHost } from '../../debian/debian-host.js';
import { debianPackage } from '../../debian/debian-package.js';
import { unpackedCommand } from '../../debian/unpacked-command.js';
import { findOnPath } from '../../support/find-on-path.js';
import { runCommand } from '../../support/run-command.js';
import { NoRedisError } from './no-redis.error.js';
import { parseRedisVersion } from './redis-generation.js';
import type { RedisGeneration } from './redis-generation.js';
import { RedisGenerationUnavailableError } from './redis-generation-unavailable.error.js';

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
 * @throws NoRedisError, RedisGenerationUnavailableError
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
    if (wanted === 'any') throw new NoRedisError(error);
    throw new RedisGenerationUnavailableError(wanted, error);
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
