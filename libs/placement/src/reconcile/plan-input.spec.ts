import { describe, expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import type { ReportedStream, WorkerObservation } from './observation.js';
import { planInputOf } from './plan-input.js';

const stream = (modelId: number, modelState?: ReportedStream['modelState']): ReportedStream => ({
  online: true,
  modelId,
  fingerprint: null,
  ...(modelState && { modelState }),
});

function modelsOf(more: Partial<WorkerObservation>) {
  const worker: WorkerObservation = {
    url: 'ws://w',
    liveness: 'Ready',
    current: true,
    reported: new Map([
      ['a;1', stream(1)],
      ['b;2', stream(2, 'loading')],
      ['c;3', stream(3, 'failed')],
    ]),
    reportsDue: new Map(),
    capacity: 10,
    cpu: null,
    memory: null,
    gpu: null,
    gpuMemory: null,
    ...more,
  };
  const input = planInputOf({
    wallNow: 0,
    desired: new Map(),
    workers: [worker],
    tracked: new Map(),
    moves: new Map(),
    penalties: new Map(),
    plannerState: null,
    settling: false,
    frozen: false,
    rebalance: false,
    opensAt: null,
  });
  return runToEnd(input).workers[0]!.models;
}

describe('the models of a worker in the input of the planner', () => {
  it('are those that it has loaded', () => {
    expect(modelsOf({ loadedModels: [9] })).toEqual([9]);
    expect(modelsOf({ loadedModels: [] })).toEqual([]);
  });

  it('are those that run, if it does not tell', () => {
    expect(modelsOf({})).toEqual([1]);
  });
});
