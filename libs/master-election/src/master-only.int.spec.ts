import { randomUUID } from 'node:crypto';
import { Controller, Get, Injectable, Module, type INestApplication, type Type } from '@nestjs/common';
import { ExternalContextCreator, LazyModuleLoader } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MasterElection, MasterElectionModule, MasterOnly } from './index.js';
import { eventually } from '@detector-cluster/election/testing';
import { TEST_TIMING } from './test-support/test-process.js';

const TIMEOUT = 20_000;

@Controller()
class Mixed {
  @Get('master')
  @MasterOnly()
  master(): string {
    return 'done';
  }

  @Get('anybody')
  anybody(): string {
    return 'done';
  }
}

@MasterOnly()
@Controller('guarded')
class Guarded {
  @Get()
  get(): string {
    return 'done';
  }
}

const nothing = () => undefined;

describe('MasterOnly', () => {
  let redis: Redis;
  let lockName: string;
  let apps: INestApplication[];

  beforeEach(() => {
    redis = new Redis(process.env.REDIS_URL!);
    lockName = `{only-${randomUUID()}}`;
    apps = [];
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    const keys = await redis.keys(`${lockName}*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });

  const start = async (controllers: Type[] = [Mixed, Guarded]) => {
    const options = { redis: process.env.REDIS_URL!, lockName, ...TEST_TIMING };
    @Module({ imports: [MasterElectionModule.forRoot(options)], controllers })
    class App {}
    const module = await Test.createTestingModule({ imports: [App] })
      .setLogger({ log: nothing, warn: nothing, error: nothing })
      .compile();
    const app = module.createNestApplication();
    await app.listen(0, '127.0.0.1');
    apps.push(app);
    const election = app.get(MasterElection, { strict: false });
    await election.waitForElectionComplete();
    const url = await app.getUrl();
    return { app, election, get: (path: string) => fetch(`${url}/${path}`) };
  };

  it('answers on the master, and on a follower names the master', async () => {
    const master = await start();
    const follower = await start();
    expect([master.election.getIsMaster(), follower.election.getIsMaster()]).toEqual([true, false]);
    for (const path of ['master', 'anybody', 'guarded']) expect((await master.get(path)).status).toBe(200);
    expect((await follower.get('anybody')).status).toBe(200);
    for (const path of ['master', 'guarded']) {
      const refusal = await follower.get(path);
      expect(refusal.status).toBe(503);
      expect(refusal.headers.get('retry-after')).toBe('1');
      expect(refusal.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(await refusal.json()).toEqual({
        type: 'urn:master-election:problem:not-master',
        title: 'Not the master',
        code: 'NOT_MASTER',
        status: 503,
        detail: expect.stringMatching(/^this process is not the master/),
        election: 'default',
        masterId: master.election.getNodeId(),
      });
    }
  });

  it('refuses on a master whose lease is currently invalid', async () => {
    const { election, get } = await start();
    const { lease } = election;
    expect((await get('master')).status).toBe(200);
    const isValid = lease!.isValid.bind(lease);
    lease!.isValid = () => false;
    expect((await get('master')).status).toBe(503);
    lease!.isValid = isValid;
    expect((await get('master')).status).toBe(200);
  });

  it('refuses while there is no master', async () => {
    const { election, get } = await start();
    await redis.hset(`${lockName}:lease`, 'owner', '', 'term', Date.now() + 60_000);
    await eventually('lost', TIMEOUT, () => !election.getIsMaster());
    expect((await get('master')).status).toBe(503);
  });

  it('guards methods of lazily loaded modules', async () => {
    @Injectable()
    class Late {
      @MasterOnly()
      run(): string {
        return 'done';
      }
    }
    @Module({ providers: [Late] })
    class LateModule {}
    const { app, election } = await start();
    const late = (await app.get(LazyModuleLoader).load(() => LateModule)).get(Late);
    const none = undefined;
    const call = app
      .get(ExternalContextCreator)
      .create(late, Late.prototype.run, 'run', none, none, none, none, none, 'command');
    expect(await call()).toBe('done');
    election.lease!.isValid = () => false;
    await expect(call()).rejects.toMatchObject({ code: 'NOT_MASTER', masterId: election.masterId });
  });

  it('stops the start of the application when its election does not exist, with class and method', async () => {
    @Controller()
    class Lost {
      @Get()
      @MasterOnly({ election: 'nowhere' })
      get(): void {}
    }
    await expect(start([Lost])).rejects.toThrow(
      /@MasterOnly on Lost.get: the application has no election 'nowhere'/,
    );
  });
});
