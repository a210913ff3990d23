import { randomUUID } from 'node:crypto';
import { Injectable, Module, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { MasterElection } from './election/master-election.js';
import { MasterElectionModule } from './master-election.module.js';
import { InvalidOptionsError } from './shared/resolve-options.js';
import type {
  MasterElectionOptions,
  MasterElectionOptionsFactory,
} from './shared/master-election-options.js';

let order: string[];
let options: MasterElectionOptions;

/** Leader work of an application. While it shuts down it must still be master and reach the registry. */
@Injectable()
class Consumer implements OnModuleDestroy, OnApplicationShutdown {
  constructor(private readonly election: MasterElection) {
    election.on('master-lost', () => order.push('lost'));
  }

  async onModuleDestroy(): Promise<void> {
    await this.election.lease?.ready();
    order.push(`consumer ends, valid lease: ${this.election.lease?.isValid() ?? false}`);
    await this.election.getAllProcesses();
  }

  async onApplicationShutdown(): Promise<void> {
    const processes = await this.election.getAllProcesses();
    order.push(`consumer shut down, registered: ${processes.length}`);
  }
}

@Injectable()
class OptionsService implements MasterElectionOptionsFactory {
  createMasterElectionOptions(): MasterElectionOptions {
    return options;
  }
}

@Module({ providers: [OptionsService], exports: [OptionsService] })
class OptionsModule {}

// Decorators are evaluated before the options of a test exist, so each test creates its modules.
const consumerModule = (imports: Parameters<typeof Module>[0]['imports']) => {
  @Module({ imports, providers: [Consumer] })
  class ConsumerModule {}
  return ConsumerModule;
};

const appModule = (imports: Parameters<typeof Module>[0]['imports']) => {
  @Module({ imports })
  class AppModule {}
  return AppModule;
};

describe('lifecycle of MasterElection', () => {
  beforeEach(() => {
    order = [];
    options = { redis: process.env.REDIS_URL!, lockName: `lifecycle-${randomUUID()}`, timing: 'fast' };
  });

  it.each([
    ['in the module that uses it', () => consumerModule([MasterElectionModule.forRoot(options)])],
    [
      'beside the module that uses it',
      () => {
        const election = MasterElectionModule.forRoot(options);
        return appModule([election, consumerModule([election])]);
      },
    ],
    [
      'globally, before',
      () => appModule([MasterElectionModule.forRoot({ ...options, isGlobal: true }), consumerModule([])]),
    ],
    [
      'globally, after',
      () => appModule([consumerModule([]), MasterElectionModule.forRoot({ ...options, isGlobal: true })]),
    ],
    [
      'by a factory',
      () =>
        consumerModule([MasterElectionModule.forRootAsync({ useFactory: () => Promise.resolve(options) })]),
    ],
    ['by a class', () => consumerModule([MasterElectionModule.forRootAsync({ useClass: OptionsService })])],
    [
      'by an existing provider',
      () =>
        consumerModule([
          MasterElectionModule.forRootAsync({ imports: [OptionsModule], useExisting: OptionsService }),
        ]),
    ],
  ])('imported %s, it ends after who uses it', async (_name, root) => {
    const app = await Test.createTestingModule({ imports: [root()] })
      .setLogger({ log: () => undefined, warn: () => undefined, error: () => undefined })
      .compile();
    await app.init();
    await app.get(MasterElection, { strict: false }).waitForElectionComplete();
    await app.close();
    expect(order).toEqual(['consumer ends, valid lease: true', 'lost', 'consumer shut down, registered: 0']);
    const redis = new Redis(options.redis as string);
    expect(await redis.keys(`${options.lockName}:*`)).toEqual([`${options.lockName}:term`]);
    await redis.del(`${options.lockName}:term`);
    redis.disconnect();
  });

  it('fails to start with invalid options', async () => {
    const building = Test.createTestingModule({
      imports: [MasterElectionModule.forRoot({ redis: '', identifier: 'a;b' })],
    })
      .setLogger({ log: () => undefined, warn: () => undefined, error: () => undefined })
      .compile();
    await expect(building).rejects.toThrow(InvalidOptionsError);
  });
});
