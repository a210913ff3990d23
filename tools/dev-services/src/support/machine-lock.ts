import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other process of this machine runs work under the same name. The lock is a Linux abstract
 * socket: the kernel frees it when its holder dies, so no process has to judge whether a lock is stale.
 * @throws Error after `timeout` milliseconds of waiting.
 */
export async function withMachineLock<T>(
  name: string,
  work: () => Promise<T>,
  timeout = 180_000,
): Promise<T> {
  const address = `\0detector-cluster-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  const deadline = performance.now() + timeout;
  let lock = await tryLock(address);
  while (!lock) {
    if (performance.now() > deadline)
      throw new Error(`another process has held the lock "${name}" for too long`);
    await sleep(50);
    lock = await tryLock(address);
  }
  try {
    return await work();
  } finally {
    lock.close();
  }
}

async function tryLock(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen({ path: address, exclusive: true }, () => resolve(server));
  });
}
