import type {
  DesiredEntry,
  TrackedSubscription,
  WorkerAction,
  WorkerObservation,
} from '@detector-cluster/placement/internal';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Reconciler, type ReconcilerOptions } from './reconciler.js';

const WORKER = 'ws://worker-1';
const ID = 'display;camera';

const worker: WorkerObservation = {
  url: WORKER,
  liveness: 'Ready',
  current: true,
  reported: new Map([[ID, { online: true, modelId: 1, fingerprint: null }]]),
  reportsDue: new Map(),
  capacity: 10,
  cpu: null,
  memory: null,
  gpu: null,
  gpuMemory: null,
};

const entry = (hash: string): DesiredEntry => ({
  spec: {
    subscriptionIdentifier: ID,
    rtspUrl: 'rtsp://camera',
    modelId: 1,
    modelName: 'model-1',
    createdAt: '',
  },
  hash,
  cameraId: 'camera',
});

const running: TrackedSubscription = {
  workerUrl: WORKER,
  holder: WORKER,
  specHash: 'old',
  sentAt: null,
  attempts: 0,
  offline: null,
  confirmed: true,
  status: 'active',
  reason: '',
  since: 0,
  assignedAt: 0,
};

/** A reconciler of one subscription that runs, and what it does, in order. */
function oneSubscription() {
  const done: string[] = [];
  const desired = { entries: new Map([[ID, entry('old')]]), certain: true, giveWay: async () => false };
  const reportsDue = new Map<string, number>();
  const tracked = new Map([[ID, running]]);
  let present = worker;
  const prepare = vi.fn(async (actions: readonly WorkerAction[]) => ({
    ready: actions,
    failed: [] as readonly WorkerAction[],
  }));
  const options = {
    store: { term: 1, write: async () => [] },
    pool: {
      settled: () => true,
      observations: () => [{ ...present, reportsDue: new Map(reportsDue) }],
      freezeFacts: () => [],
      showStuck: () => undefined,
    },
    flaps: { memory: () => ({}), until: () => null },
    windows: { opensAt: () => null },
    desired,
    actual: {
      tracked,
      renew: () => undefined,
      *differences() {
        yield;
        return new Set<string>();
      },
      addTo: async () => {
        done.push('everything');
        return [];
      },
      commitSome: async (some: ReadonlyMap<string, TrackedSubscription>) => {
        for (const [id, next] of some) tracked.set(id, next);
      },
    },
    planner: {
      moves: new Map(),
      memory: { penalties: new Map(), state: null, flaps: {} },
      addTo: async () => undefined,
    },
    rebalances: { look: async () => undefined },
    rollouts: { list: () => [], modelFailed: () => undefined },
    commands: {
      prepare,
      send: async (actions: readonly WorkerAction[]) => {
        for (const { subscriptionIdentifier, type, workerUrl } of actions) {
          reportsDue.set(subscriptionIdentifier, Number.POSITIVE_INFINITY);
          done.push(`${type} ${workerUrl}`);
        }
      },
      askSoon: () => undefined,
    },
    figures: { planned: () => undefined, passes: 0 },
    journal: { add: () => undefined },
    logger: { debug: () => undefined, log: () => undefined, warn: () => undefined },
    adoptionTimeout: 0,
    checkInterval: 30_000,
    onWork: () => undefined,
  };
  const reconciler = new Reconciler(options as unknown as ReconcilerOptions);
  const pass = () => reconciler.pass(() => undefined);
  const becomes = (liveness: WorkerObservation['liveness']) => {
    present = { ...worker, liveness };
    reconciler.everythingChanged();
  };
  return { becomes, desired, done, pass, prepare, reconciler };
}

/** How often a pass goes through all subscriptions to send those of these cameras again. */
async function looksToRenew(...cameras: string[]): Promise<number> {
  const { desired, pass, reconciler } = oneSubscription();
  const values = vi.spyOn(desired.entries, 'values');
  const renewed = Promise.all(cameras.map((camera) => reconciler.renewed(camera)));
  await pass();
  expect(await renewed).toEqual(cameras.map((camera) => (camera === 'camera' ? 1 : 0)));
  return values.mock.calls.length;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('Reconciler', () => {
  it('sends a changed row before it decides about everything in the same pass', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { desired, done, pass, reconciler } = oneSubscription();
    await pass();
    expect(done.splice(0)).toEqual(['everything']);

    // A pass over everything is followed by a rest.
    vi.advanceTimersByTime(1_000);
    reconciler.everythingChanged();
    desired.entries.set(ID, entry('new'));
    reconciler.desiredChanged([ID]);
    await pass();
    expect(done).toEqual([`subscribe ${WORKER}`, 'everything']);
  });

  it('decides about everything with what has changed while it could not decide about a part', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { becomes, desired, done, pass, prepare, reconciler } = oneSubscription();
    await pass();
    vi.advanceTimersByTime(1_000);
    done.length = 0;
    desired.entries.set(ID, entry('new'));
    reconciler.desiredChanged([ID]);
    prepare.mockImplementationOnce(async (actions) => {
      becomes('Suspect');
      return { ready: [], failed: actions };
    });
    await pass();
    // A worker that is suspect gets no commands.
    expect(done).toEqual(['everything']);
  });

  it('says how many subscriptions of a camera are sent again, if a pass is under way', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { desired, pass, prepare, reconciler } = oneSubscription();
    await pass();
    vi.advanceTimersByTime(1_000);
    desired.entries.set(ID, entry('new'));
    reconciler.desiredChanged([ID]);
    let renewed: Promise<number> | undefined;
    prepare.mockImplementationOnce(async (actions) => {
      renewed = reconciler.renewed('camera');
      return { ready: [], failed: actions };
    });
    await pass();
    vi.advanceTimersByTime(1_000);
    await pass();
    expect(await renewed).toBe(1);
  });

  it('looks no more often at all subscriptions for many cameras that are sent again', async () => {
    expect(await looksToRenew('camera', 'other', 'third')).toBe(await looksToRenew('camera'));
  });
});
