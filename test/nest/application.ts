import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';

/** Options of an election of its own on the server of the tests. */
export const anElection = () => ({
  redis: process.env.REDIS_URL!,
  lockName: `nest-${randomUUID()}`,
  timing: 'fast' as const,
});

/** Listens on a free port. Returns what fetches a path. */
export async function serve(app: INestApplication): Promise<(path: string) => Promise<Response>> {
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return (path) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
}
