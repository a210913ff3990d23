import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Module,
  type DynamicModule,
  type OnModuleDestroy,
  type ModuleMetadata,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DuplicateElectionError } from '../shared/errors.js';
import { MasterElection } from '../election/master-election.js';
import { MasterElectionModule } from '../master-election.module.js';
import { InvalidOptionsError } from '../shared/resolve-options.js';
import type { MasterElectionOptions } from '../shared/master-election-options.js';
import { silentLogger } from '../test-support/silent-logger.js';
import { TEST_TIMING } from '../test-support/test-process.js';
import { getMasterElectionToken, InjectMasterElection } from '../election/get-master-election-token.js';

let options: MasterElectionOptions;
let order: string[];

/** Work of two elections in one class. While it shuts down it must still be master in both. */
@Injectable()
class TwoRoles implements OnModuleDestroy {
  constructor(
    @InjectMasterElection() readonly main: MasterElection,
    @InjectMasterElection('reports') readonly reports: MasterElection,
  ) {}

  onModuleDestroy(): void {
    order.push(
      `ends, leads: ${[this.main, this.reports].map(({ lease }) => lease?.isValid() ?? false).join()}`,
    );
  }
}

@Injectable()
class ReportsOptions {
  createMasterElectionOptions(): Partial<MasterElectionOptions> {
    return { identifier: 'by-class' };
  }
}

@Module({ providers: [ReportsOptions], exports: [ReportsOptions] })
class ReportsOptionsModule {}

const root = (more: Partial<MasterElectionOptions> = {}) =>
  MasterElectionModule.forRoot({ ...options, ...more });
const compile = (metadata: ModuleMetadata) =>
  Test.createTestingModule(metadata).setLogger(silentLogger).compile();

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe('several elections in one application', () => {
  let redis: Redis;
  let closing: { close(): Promise<void> }[];
  beforeEach(() => {
    order = [];
    closing = [];
    options = {
      ...TEST_TIMING,
      redis: process.env.REDIS_URL!,
      lockName: `{feature-${randomUUID()}}`,
      identifier: 'app',
    };
    redis = new Redis(process.env.REDIS_URL!);
  });
  afterEach(async () => {
    await Promise.all(closing.map((app) => app.close()));
    const keys = await redis.keys(`${options.lockName}:*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });
  const start = async (feature: DynamicModule = MasterElectionModule.forFeature({ name: 'reports' })) => {
    const app = await compile({ imports: [root(), feature], providers: [TwoRoles] });
    closing.push(app);
    await app.init();
    return app.get(TwoRoles);
  };

  it('leads each in a different process, hands them over one by one, and separates their members', async () => {
    const a = await start();
    expect(await a.main.waitForElectionComplete()).toBe(true);
    const b = await start();
    expect(await b.main.waitForElectionComplete()).toBe(false);
    await Promise.all([a.reports.waitForElectionComplete(), b.reports.waitForElectionComplete()]);
    if (a.reports.getIsMaster()) await a.reports.resign();
    await eventually('reports led by the other', 10_000, () => b.reports.lease?.isValid());
    expect([a.main, b.main].map((election) => election.getIsMaster())).toEqual([true, false]);
    expect(a.main.lease?.isValid()).toBe(true);
    expect([a.main.name, a.reports.name]).toEqual(['default', 'reports']);

    await b.main.unregisterProcess(b.main.getNodeId());
    expect(await a.main.getAllProcesses()).toHaveLength(1);
    expect(await a.reports.getAllProcesses()).toHaveLength(2);
    expect(await redis.hget(`${options.lockName}:reports:lease`, 'owner')).toContain(b.reports.getNodeId());
  });

  it('ends each election after its users, and leaves only the terms in Redis', async () => {
    const { main, reports } = await start();
    await Promise.all([main.waitForElectionComplete(), reports.waitForElectionComplete()]);
    for (const [name, election] of Object.entries({ main, reports }))
      election.on('master-lost', ({ reason }) => order.push(`${name} ${reason}`));
    await closing.pop()!.close();
    expect(order[0]).toBe('ends, leads: true,true');
    expect(order.slice(1).sort()).toEqual(['main stopped', 'reports stopped']);
    const keys = await redis.keys(`${options.lockName}:*`);
    expect(keys.sort()).toEqual([`${options.lockName}:reports:term`, `${options.lockName}:term`]);
  });

  it.each([
    ['a factory', () => ({ useFactory: () => Promise.resolve({ identifier: 'by-factory' }) }), 'by-factory'],
    ['a class', () => ({ useClass: ReportsOptions }), 'by-class'],
    [
      'an existing provider',
      () => ({ imports: [ReportsOptionsModule], useExisting: ReportsOptions }),
      'by-class',
    ],
  ])('takes options of %s', async (_name, source, identifier) => {
    const { reports, main } = await start(
      MasterElectionModule.forFeatureAsync({ name: 'reports', ...source() }),
    );
    expect([reports.getIdentifier(), main.getIdentifier()]).toEqual([identifier, 'app']);
    expect(typeof (await reports.waitForElectionComplete())).toBe('boolean');
  });

  it('inherits from forRootAsync, and needs no forRoot if redis is given', async () => {
    const feature = MasterElectionModule.forFeature({ name: 'reports', isGlobal: true });
    const asked: string[] = [];
    const inheriting = await compile({
      imports: [
        feature,
        MasterElectionModule.forRootAsync({
          useFactory: async () => {
            asked.push('asked');
            return options;
          },
        }),
      ],
    });
    const token = getMasterElectionToken('reports');
    expect(inheriting.get(token, { strict: false }).getIdentifier()).toBe('app');
    expect(asked).toHaveLength(1);
    const alone = await compile({
      imports: [MasterElectionModule.forFeature({ ...options, name: 'reports' })],
    });
    expect(alone.get(token, { strict: false }).getIdentifier()).toBe('app');
  });

  it.each([
    ['names', () => [{ name: 'a' }, { name: 'a', lockName: 'other' }], ['a', 'a'], /'a' is set up twice/],
    [
      'lock names',
      () => [{ name: 'a' }, { name: 'b', lockName: `${options.lockName}:a` }],
      ['a', 'b'],
      /same lockName/,
    ],
    [
      'lock names, one of them of forRoot',
      () => [{ name: 'a', lockName: options.lockName }],
      ['a', 'default'],
      /same lockName/,
    ],
  ])('refuses two elections with equal %s', async (_what, features, names, message) => {
    const imports = features().map((feature) => MasterElectionModule.forFeature(feature));
    const refusal = await compile({ imports: [root(), ...imports] }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(DuplicateElectionError);
    const { elections, message: text } = refusal as DuplicateElectionError;
    expect([...elections].sort()).toEqual(names);
    expect(text).toMatch(message);
  });

  it('allows elections of the same name in two applications of one process', async () => {
    await compile({ imports: [root()] });
    await expect(compile({ imports: [root()] })).resolves.toBeDefined();
  });

  it.each([
    ['forRoot', () => MasterElectionModule.forRoot({ ...options, lockTtl: -1, identifier: '' })],
    [
      'forRootAsync',
      () =>
        MasterElectionModule.forRootAsync({
          useFactory: () => ({ ...options, lockTtl: -1, identifier: '' }),
        }),
    ],
    [
      'forFeature',
      () => MasterElectionModule.forFeature({ ...options, name: 'a', lockTtl: -1, identifier: '' }),
    ],
    [
      'forFeatureAsync',
      () =>
        MasterElectionModule.forFeatureAsync({
          name: 'a',
          useFactory: () => ({ ...options, lockTtl: -1, identifier: '' }),
        }),
    ],
  ])('reports all problems at once through %s', async (_name, module) => {
    const refusal = await compile({ imports: [module()] }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(InvalidOptionsError);
    expect((refusal as InvalidOptionsError).problems.map((problem) => problem.split(' ')[0])).toEqual([
      'lockTtl',
      'identifier',
    ]);
  });
});
