import { MasterRequestError, NoMasterError } from '@detector-cluster/detector-cluster';
import { MasterElectionModule, MasterOnly } from '@detector-cluster/master-election';
import { BadRequestException, Controller, Get, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '../expect-problem.fixture.js';
import { AuditTrail } from './audit-trail.js';
import { ProblemFilter } from './problem.filter.js';

@Controller()
class Failing {
  @Get('guarded')
  @MasterOnly()
  guarded(): string {
    return 'the master alone says this';
  }

  @Get('no-master')
  noMaster(): never {
    throw new NoMasterError('plan', 5_000);
  }

  @Get('failed')
  failed(): never {
    throw new MasterRequestError('rebalanceWorkers', 'failed', 'the master failed with Error: hunter2');
  }

  @Get('slow')
  slow(): never {
    throw new MasterRequestError('rebalanceWorkers', 'timeout', 'the master is at work on it');
  }

  @Get('bad')
  bad(): never {
    throw new BadRequestException('the moon is full');
  }

  @Get('unforeseen')
  unforeseen(): never {
    throw new Error('hunter2');
  }
}

describe('ProblemFilter', () => {
  let app: INestApplication;
  beforeAll(async () => {
    const module = await Test.createTestingModule({
      // No server listens there: this process never becomes master.
      imports: [
        MasterElectionModule.forRoot({ redis: 'redis://127.0.0.1:1', timing: 'fast', isGlobal: true }),
      ],
      controllers: [Failing],
    })
      .setLogger({ log: () => {}, warn: () => {}, error: () => {} })
      .compile();
    app = module.createNestApplication();
    app.useGlobalFilters(new ProblemFilter(new AuditTrail(undefined as never, undefined as never)));
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app?.close());

  async function get(path: string) {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const { status, headers, ...response } = await fetch(`http://127.0.0.1:${port}${path}`).then(
      async (answer) => ({ status: answer.status, headers: answer.headers, body: await answer.json() }),
    );
    return { status, headers, body: response.body as Record<string, unknown> };
  }

  it.each([
    ['/guarded', 'NOT_MASTER', /no process is master/],
    ['/no-master', 'NO_MASTER', /^plan: no answer from a master within 5000 ms$/],
    ['/failed', 'MASTER_REQUEST', /^rebalanceWorkers: the master has failed; its log says how$/],
    ['/slow', 'MASTER_REQUEST', /^rebalanceWorkers: the master is at work on it$/],
  ])('answers %s with 503, the code %s and when to try again', async (path, code, detail) => {
    const answer = await get(path);
    expect(expectProblem(answer, 503)).toMatchObject({
      code,
      detail: expect.stringMatching(detail),
      reason: 'cluster-unavailable',
    });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('names the problems of a request, and does not show unexpected errors', async () => {
    expect(expectProblem(await get('/bad'), 400).detail).toBe('the moon is full');
    expect(JSON.stringify(expectProblem(await get('/unforeseen'), 500))).not.toContain('hunter2');
  });
});
