import { MasterElectionModule } from '@detector-cluster/master-election';
import { type DynamicModule, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { DetectorClusterModule } from './detector-cluster.module.js';

const redis = 'redis://127.0.0.1:1';
const election = (options: object = {}) =>
  MasterElectionModule.forRoot({ redis, isGlobal: true, ...options } as never);
const cluster = (options: object = {}) => DetectorClusterModule.forRoot({ redis, ...options } as never);
const clusterAsync = (options: object) =>
  DetectorClusterModule.forRootAsync({ useFactory: async () => ({ redis, ...options }) as never });

async function failureOf(...imports: DynamicModule[]): Promise<string> {
  try {
    const app = await Test.createTestingModule({ imports })
      .setLogger(false as never)
      .compile();
    await app.close();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the modules', () => {
  it.each([
    ['given', cluster],
    ['made by a factory', clusterAsync],
  ])('report the problems of all their options in one error: %s', async (_name, make) => {
    const wrong = make({
      worker: ['ws://a'],
      keyprefix: 'x:',
      modelurl: 'http://m',
      workers: [{ url: 'ws://a', capcity: 3, tls: { cert: 'x', kye: 'y' } }],
      timings: { workerSilense: 5_000 },
      acceptance: { replica: 1, timeout: 100 },
      changeFeed: { connectionString: 'postgres://h/d', probeIntervall: 3 },
    });
    const message = await failureOf(
      election({ locknam: 'x', timing: 'slow', capabilities: { maxSubscription: 3 } }),
      wrong,
    );
    for (const problem of [
      'locknam is not an option; did you mean lockName?',
      "timing must be 'default' or 'fast'",
      'capabilities.maxSubscription is not an option; did you mean maxSubscriptions?',
      'worker: is not an option; did you mean workers?',
      'keyprefix: is not an option; did you mean keyPrefix?',
      'modelurl: is not an option; did you mean modelUrl?',
      'workers[0].capcity: is not an option; did you mean capacity?',
      'workers[0].tls.kye: is not an option; did you mean key?',
      'timings.workerSilense: is not an option; did you mean workerSilence?',
      'acceptance.replica: is not an option; did you mean replicas?',
      'changeFeed.probeIntervall: is not an option; did you mean probeInterval?',
    ])
      expect(message).toContain(problem);
  });

  it('say which module to import, or which option makes it visible', async () => {
    expect(await failureOf(cluster())).toContain(
      'import MasterElectionModule.forRoot({ redis, isGlobal: true }) beside DetectorClusterModule',
    );
    expect(await failureOf(election({ isGlobal: false }), cluster())).toContain(
      'give its forRoot the option isGlobal: true',
    );
  });

  it('are set up once in an application', async () => {
    @Module({ imports: [cluster({ workers: ['ws://b'] })] })
    class Other {}
    const imports = [election(), cluster({ workers: ['ws://a'] }), { module: Other }];
    expect(await failureOf(...imports)).toMatch(/forRoot: is set up twice in one application/);
    expect(await failureOf(election(), election({ lockName: 'b' }))).toMatch(
      /set up twice in one application/,
    );
  });

  it.each<[object, string]>([
    [{}, 'Display, Camera, Playlist, Model are missing'],
    [{ display: delegate(), model: delegate(), camera: {} }, 'Camera, Playlist are missing'],
    [{ display: delegate(), camera: delegate(), model: delegate() }, 'Playlist is missing'],
  ])('name every model that a Prisma client lacks: %j', async (prisma, missing) => {
    const modelUrl = { urlFor: async () => 'http://m' };
    const message = await failureOf(election(), cluster({ prisma, modelUrl }));
    expect(message).toContain(`${missing}; with another schema give a desiredState of your own instead`);
  });
});

function delegate() {
  return { findMany: async () => [] };
}
