import { randomUUID } from 'node:crypto';
import { findProgram } from '../debian/find-program.js';
import type { GuardedServer } from '../guard/guarded-server.js';
import { ServerStartError } from '../guard/server-start.error.js';
import { startGuarded } from '../guard/start-guarded.js';
import { freePort } from '../support/free-port.js';
import { etcdMember } from './etcd-member.js';
import type { StartEtcdOptions } from './start-etcd.js';

/** A private etcd of several members. */
export interface EtcdClusterService {
  readonly members: readonly GuardedServer[];
  /** URLs of all members, for clients. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

const ATTEMPTS = 3;

/**
 * Starts a private cluster of `size` members. Each is a separate server that can be killed, frozen and started again.
 * @throws ProgramUnavailableError without a server program, ServerStartError if a server does not start.
 */
export async function startEtcdCluster(
  size: number,
  options: StartEtcdOptions = {},
): Promise<EtcdClusterService> {
  const program = await findProgram({ name: 'etcd', package: 'etcd-server' }, options.notify);
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(program, size, options);
    } catch (error) {
      if (!(error instanceof ServerStartError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** A member does not answer before a majority runs. */
async function launch(
  program: readonly string[],
  size: number,
  options: StartEtcdOptions,
): Promise<EtcdClusterService> {
  const token = randomUUID();
  const plan: { name: string; port: number; peerPort: number }[] = [];
  for (let i = 0; i < size; i++)
    plan.push({ name: `member-${i}-${token}`, port: await freePort(), peerPort: await freePort() });
  const peers = Object.fromEntries(plan.map(({ name, peerPort }) => [name, peerPort]));
  const started = await Promise.allSettled(
    plan.map((member) =>
      startGuarded('etcd', (directory) =>
        Promise.resolve(etcdMember({ ...options, ...member, program, directory, peers })),
      ),
    ),
  );
  const members = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => void (await Promise.all(members.map((member) => member.stop())));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { members, urls: members.map(({ url }) => url), stop };
}
