import { readFile } from 'node:fs/promises';
import type { ElectionBackend } from '@detector-cluster/election';
import { UsageError } from '../cli/usage.error.js';
import type { BackendOptions } from './backend-options.js';

const PACKAGE = '@detector-cluster/group-membership';

/** What the package has to offer. */
interface GroupModule {
  readonly GroupElectionBackend?: new (options: unknown) => ElectionBackend;
}

/** The package is not a part of this one: who does not elect in a group does not need it. */
export async function openGroupBackend({ groupConfig }: BackendOptions): Promise<ElectionBackend> {
  const { GroupElectionBackend } = await load();
  if (!GroupElectionBackend)
    throw new UsageError(
      `--backend group: the installed ${PACKAGE} has no GroupElectionBackend; install a newer one`,
    );
  if (groupConfig === undefined)
    throw new UsageError('--group-config is missing: name the JSON file with the options of this member');
  try {
    return new GroupElectionBackend(JSON.parse(await readFile(groupConfig, 'utf8')));
  } catch (error) {
    throw new UsageError(`--group-config ${groupConfig}: ${(error as Error).message}`, { cause: error });
  }
}

async function load(): Promise<GroupModule> {
  try {
    return (await import(PACKAGE)) as GroupModule;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(`--backend group needs ${PACKAGE}, which is not installed: npm install ${PACKAGE}`, {
      cause: error,
    });
  }
}
