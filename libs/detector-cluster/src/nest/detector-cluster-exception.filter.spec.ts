import { StoreUnreachableError } from '@detector-cluster/election/redis';
import { BadRequestException, Controller, Get, Param, type INestApplication } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnknownWorkerError } from '../operators/find-worker.js';
import { SubscriptionNotDesiredError } from '../operators/plan-report.js';
import { MasterChangedError } from '../operators/resigner.js';
import { CameraImageError, CameraNotHostedError } from '../operators/camera-image.error.js';
import { MasterRequestError, NoMasterError } from '../shared/master-errors.js';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import * as library from '../index.js';
import { clusterHttpError } from './cluster-http-error.js';
import { DetectorClusterExceptionFilter } from './detector-cluster-exception.filter.js';

const errors: Record<string, readonly [error: unknown, status: number, code?: string]> = {
  input: [new InvalidInputError('displayId', 'must not be empty'), 400, 'INVALID_INPUT'],
  camera: [new CameraNotHostedError('camera-1'), 404, 'CAMERA_NOT_HOSTED'],
  worker: [new UnknownWorkerError('ws://x', ['ws://a']), 404, 'UNKNOWN_WORKER'],
  frame: [new CameraImageError('d;c', 'ws://w', 'no-frame', 'none'), 404, 'CAMERA_IMAGE'],
  image: [new CameraImageError('d;c', 'ws://w', 'timeout', 'late'), 503, 'CAMERA_IMAGE'],
  master: [new NoMasterError('plan', 5_000), 503, 'NO_MASTER'],
  request: [new MasterRequestError('plan', 'failed', 'the master failed: hunter2'), 503, 'MASTER_REQUEST'],
  redis: [new StoreUnreachableError('connecting'), 503, 'REDIS_UNAVAILABLE'],
  command: [new Error('Command timed out'), 503, 'REDIS_UNAVAILABLE'],
  nest: [new BadRequestException('the moon is full'), 400],
  bug: [new Error('hunter2'), 500],
};

@Controller()
class Failing {
  @Get(':name')
  fail(@Param('name') name: string): never {
    throw errors[name]![0];
  }
}

describe('DetectorClusterExceptionFilter', () => {
  let app: INestApplication;
  beforeAll(async () => {
    const module = await Test.createTestingModule({
      controllers: [Failing],
      providers: [{ provide: APP_FILTER, useClass: DetectorClusterExceptionFilter }],
    })
      .setLogger({ log: () => {}, warn: () => {}, error: () => {} })
      .compile();
    app = module.createNestApplication();
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app?.close());

  it.each(Object.entries(errors))('answers %s as what it is', async (name, [, status, code]) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/${name}`);
    const body = (await answer.json()) as Record<string, unknown>;
    expect(answer.status).toBe(status);
    expect(body).toMatchObject({ statusCode: status, ...(code !== undefined && { code }) });
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '2' : null);
  });

  it('leaves the errors of other transports to their filters', () => {
    const filter = new DetectorClusterExceptionFilter();
    const host = { getType: () => 'rpc' } as never;
    const error = new NoMasterError('plan', 1);
    expect(() => filter.catch(error, host)).toThrow(error);
  });
});

describe('clusterHttpError', () => {
  it('knows every error that the package exports, or leaves it to 500 on purpose', () => {
    const known = [
      ...Object.values(errors).map(([error]) => error),
      new SubscriptionNotDesiredError('d;c'),
      Object.create(MasterChangedError.prototype) as Error,
    ].filter((error) => clusterHttpError(error) !== null);
    const names = new Set(known.map((error) => (error as Error).constructor.name));
    const exported = Object.entries(library).filter(
      ([, value]) => typeof value === 'function' && value.prototype instanceof Error,
    );
    expect(exported.length).toBeGreaterThan(5);
    // These end the start of an application.
    const fatal = ['InvalidDetectorClusterOptionsError', 'InvalidClusterHandlerError', 'MissingPgError'];
    expect(
      exported.map(([name]) => name).filter((name) => !names.has(name) && !fatal.includes(name)),
    ).toEqual([]);
  });

  it('leaves exceptions of Nest alone', () => {
    expect(clusterHttpError(new BadRequestException())).toBeNull();
  });
});
