import { readFile } from 'node:fs/promises';
import type { ElectionBackend } from '@detector-cluster/election';
import { MissingFlagError, UsageError } from './usage.error.js';
import { type BackendOptions, redisUrl } from './backend-options.js';

const PACKAGE = '@detector-cluster/group-membership';

type Class = new (options: object) => object;

/** The package is not a part of this one: who does not elect in a group does not need it. */
export async function openGroupBackend(
  options: BackendOptions & { readonly lockTtl: number },
  onWarning: (message: string) => void,
): Promise<ElectionBackend> {
  const { groupAddress, groupSecret, groupInsecure = false, lockName } = options;
  if (groupAddress === undefined)
    throw new MissingFlagError(
      '--group-address is missing: give host:port at which the other members reach this one',
    );
  if (groupSecret === undefined && !groupInsecure)
    throw new MissingFlagError(
      '--group-secret is missing: give the same text to all members, or --group-insecure',
    );
  const tls = await certificates(options);
  const GroupElectionBackend = await load('backend', 'GroupElectionBackend');
  const RedisLeaderStore = await load('redis', 'RedisLeaderStore');
  // Where the members find each other.
  const store = new RedisLeaderStore({ redis: redisUrl(options), key: `${lockName}:group` });
  try {
    return new GroupElectionBackend({
      group: lockName,
      internalAddress: groupAddress,
      secret: groupSecret ?? false,
      tls,
      store,
      leaseTtl: options.lockTtl,
      onWarning,
    }) as ElectionBackend;
  } catch (error) {
    if ((error as Error).name !== 'InvalidGroupOptionsError') throw error;
    const { message } = error as Error;
    const flags = message
      .replaceAll('internalAddress', '--group-address')
      .replaceAll('leaseTtl', '--lock-ttl')
      .replaceAll('secret', '--group-secret');
    throw new UsageError(flags, { cause: error });
  }
}

async function certificates({ groupCacert, groupCert, groupKey, groupInsecure = false }: BackendOptions) {
  if (groupCacert && groupCert && groupKey)
    return { ca: await readPem(groupCacert), cert: await readPem(groupCert), key: await readPem(groupKey) };
  if (groupCacert || groupCert || groupKey || !groupInsecure)
    throw new UsageError(
      '--group-cacert, --group-cert and --group-key belong together: give all three, or --group-insecure',
    );
  return false;
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

async function load(entry: string, name: string): Promise<Class> {
  try {
    const module = (await import(`${PACKAGE}/${entry}`)) as Record<string, Class>;
    return module[name]!;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(`--backend group needs ${PACKAGE}, which is not installed: npm install ${PACKAGE}`, {
      cause: error,
    });
  }
}
