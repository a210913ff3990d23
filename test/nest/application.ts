import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import type { TestingModuleBuilder } from '@nestjs/testing';

/** Options of an election of its own on the server of the tests. */
export const anElection = () => ({
  redis: process.env.REDIS_URL!,
  lockName: `nest-${randomUUID()}`,
  timing: 'fast' as const,
});

const started = new Set<INestApplication>();

afterEach(async () => {
  for (const app of started) await app.close();
  started.clear();
});

/** An application that is closed after the test. A test may close it before. */
export async function start(builder: TestingModuleBuilder): Promise<INestApplication> {
  const app = (await builder.compile()).createNestApplication({ logger: false });
  started.add(app);
  await app.init();
  return app;
}

/** Listens on a free port. Returns what fetches a path. */
export async function serve(app: INestApplication): Promise<(path: string) => Promise<Response>> {
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return (path) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
}
