import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { ConsoleLogger, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { DetectorClusterModule } from '../nest/detector-cluster.module.js';
import { StaticModelUrlProvider } from '../sources/static-model-url-provider.js';
import { InvalidDetectorClusterOptionsError } from '../shared/invalid-detector-cluster-options.error.js';
import { installChangeFeed, removeChangeFeed } from '../sources/change-feed/change-feed-sql.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

class RecordingLogger extends ConsoleLogger {
  readonly lines: string[] = [];

  constructor() {
    super({ logLevels: ['log', 'warn', 'error', 'debug'] });
  }

  override log(message: unknown): void {
    this.lines.push(`log ${String(message)}`);
  }

  override debug(message: unknown): void {
    this.lines.push(`debug ${String(message)}`);
  }

  override warn(message: unknown): void {
    this.lines.push(`warn ${String(message)}`);
  }

  override error(message: unknown): void {
    this.lines.push(`error ${String(message)}`);
  }
}

interface Backend {
  readonly app: INestApplicationContext;
  readonly election: MasterElection;
  reads: number;
}

describe('the change feed of the master', () => {
  const redis = process.env.REDIS_URL!;
  const backends: Backend[] = [];
  let database: TestDatabase;
  let writer: pg.Client;
  let prefix: string;
  let logger: RecordingLogger;

  beforeAll(async () => {
    database = await createTestDatabase();
    writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
  });
  afterAll(async () => {
    await writer.end();
    await database.drop();
  });
  afterEach(async () => {
    await Promise.all(backends.splice(0).map(({ app }) => app.close()));
  });

  const module = (connectionString: string, read: () => void) => ({
    module: class {},
    imports: [
      MasterElectionModule.forRoot({ redis, lockName: `${prefix}lock`, timing: 'fast', isGlobal: true }),
      DetectorClusterModule.forRoot({
        redis,
        keyPrefix: prefix,
        modelUrl: new StaticModelUrlProvider('http://models'),
        desiredState: {
          read: async () => {
            read();
            return { subscriptions: [], skipped: [] };
          },
        },
        timings: { resyncInterval: 600_000 },
        changeFeed: { connectionString, probeInterval: 100 },
      }),
    ],
  });
  const start = async (connectionString = database.url): Promise<Backend> => {
    const backend = { reads: 0 } as Backend & { app: INestApplicationContext; election: MasterElection };
    backend.app = await NestFactory.createApplicationContext(
      module(connectionString, () => backend.reads++),
      { logger },
    );
    backend.election = backend.app.get(MasterElection);
    backends.push(backend);
    return backend;
  };
  const sessions = async () =>
    (
      await writer.query(
        `select from pg_stat_activity where application_name = 'detector-cluster change feed' and datname = current_database()`,
      )
    ).rowCount;
  const write = () =>
    writer.query(
      `insert into "Model" ("name", "fileKey", "updatedAt") values (gen_random_uuid(), 'k', now())`,
    );
  const fresh = () => {
    prefix = randomPrefix();
    logger = new RecordingLogger();
  };

  it('listens on the master alone, and moves with it', async () => {
    fresh();
    await installChangeFeed(writer);
    const first = await start();
    await until(async () => first.election.lease !== null && (await sessions()) === 1);
    const second = await start();
    await until(() => first.reads > 0);
    let before = first.reads;
    await write();
    await until(() => first.reads > before);
    expect(second.reads).toBe(0);
    expect(await sessions()).toBe(1);

    backends.splice(backends.indexOf(first), 1);
    await first.app.close();
    await until(async () => second.election.lease !== null && (await sessions()) === 1);
    // The read that follows LISTEN finds what was committed while no process listened.
    await until(() => second.reads > 0);
    before = second.reads;
    await write();
    await until(() => second.reads > before);
    await backends.pop()!.app.close();
    await until(async () => (await sessions()) === 0);
    expect(logger.lines.filter((line) => /^(warn|error) .*listen|change feed/.test(line))).toEqual([]);
  });

  it('logs how to install missing triggers, and listens anyway', async () => {
    fresh();
    await removeChangeFeed(writer);
    const backend = await start();
    await until(() => logger.lines.some((line) => line.startsWith('error the change feed is not installed')));
    expect(logger.lines.join('\n')).toContain('run installChangeFeed(client)');
    await installChangeFeed(writer);
    await until(() => logger.lines.includes('log is installed in the database now'));
    const before = backend.reads;
    await write();
    await until(() => backend.reads > before);
  });

  it('warns once if the database is unavailable', async () => {
    fresh();
    const backend = await start('postgres://user:secret@127.0.0.1:1/nowhere');
    await until(() => backend.election.lease !== null);
    const said = (level: string) =>
      logger.lines.filter((line) => line.startsWith(`${level} cannot listen to the database`)).length;
    await until(() => said('debug') > 1);
    expect(said('warn')).toBe(1);
    expect(logger.lines.join('\n')).not.toContain('secret');
  });

  it('is rejected with an invalid address before anything starts', async () => {
    fresh();
    await expect(
      NestFactory.createApplicationContext(
        module('localhost', () => undefined),
        { logger: false, abortOnError: false },
      ),
    ).rejects.toBeInstanceOf(InvalidDetectorClusterOptionsError);
  });
});
