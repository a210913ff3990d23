import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { FencedError } from '@detector-cluster/election/fence';
import {
  closeRedis,
  commandSettings,
  openRedis,
  SharedSubscriber,
  whenReady,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NoMasterError, MasterRequestError, TermOverError } from '../shared/master-errors.js';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import type { SubscriptionExplanation } from '@detector-cluster/placement';
import { clusterKeys } from '../shared/cluster-keys.js';
import { MasterChangedError } from './resigner.js';
import { emptyPlan, FakeControls } from './fake-controls.fixture.js';
import { MasterRequests } from './master-requests.js';
import type { MasterControls, MasterMethod } from './master-methods.js';
import { planReport } from './plan-report.js';
import { until } from '../../../../test/support/until.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** One process of a cluster: it is master while it has controls. */
class Process {
  controls: MasterControls | null = null;
  invalid = 0;
  readonly failures: string[] = [];
  readonly requests: MasterRequests;
  private readonly publisher: Redis;
  private readonly subscriber: SharedSubscriber;

  constructor(url: string, prefix: string) {
    this.publisher = openRedis(url, commandSettings);
    this.subscriber = new SharedSubscriber(url);
    this.requests = new MasterRequests({
      subscriber: this.subscriber,
      publisher: this.publisher,
      keys: clusterKeys(prefix),
      processId: randomUUID(),
      controls: () => this.controls,
      onFailure: (method) => this.failures.push(method),
      onInvalid: () => this.invalid++,
    });
    this.requests.open();
  }

  rebalance(options: { timeout?: number; limit?: number } = {}): Promise<true> {
    return this.requests.call('rebalance', {}, { call: 'rebalanceWorkers', ...options });
  }

  close(): void {
    this.requests.close();
    this.subscriber.close();
    closeRedis(this.publisher);
  }
}

function gate() {
  let open!: () => void;
  const opened = new Promise<true>((resolve) => (open = () => resolve(true)));
  return { open, opened };
}

describe('requests to the master', () => {
  let server: RedisService;
  let raw: Redis;
  let prefix: string;
  const processes: Process[] = [];
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);

  beforeAll(async () => {
    process.on('unhandledRejection', note);
    server = await startRedis();
    raw = openPatientRedis(server.url);
    await whenReady(raw, 5_000);
  });
  afterEach(() => {
    for (const one of processes.splice(0)) one.close();
  });
  afterAll(async () => {
    closeRedis(raw);
    await server.stop();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  function start(count: number): Process[] {
    prefix = `${randomUUID()}:`;
    const started = Array.from({ length: count }, () => new Process(server.url, prefix));
    processes.push(...started);
    return started;
  }

  async function pair(methods: Partial<MasterControls> = {}) {
    const [master, other] = start(2) as [Process, Process];
    const controls = new FakeControls(methods);
    master.controls = controls;
    return { master, other, controls };
  }

  it('are answered from every process, including the master', async () => {
    const { master, other, controls } = await pair();
    for (const { requests } of [other, master]) {
      const plan = await requests.call('preview', { rebalance: true }, { call: 'plan' });
      expect(plan).toMatchObject({ term: 7, omitted: { actions: 0 } });
      const explain = requests.call('explain', { subscriptionIdentifier: 'd;c' }, { call: 'explain' });
      await expect(explain).resolves.toBeNull();
      await expect(requests.call('rebalance', {}, { call: 'x' })).resolves.toBe(true);
      await expect(requests.call('directivesChanged', {}, { call: 'x' })).resolves.toBe(true);
      const action = { by: 'ops', action: 'drain', target: null };
      await expect(requests.call('record', action, { call: 'x' })).resolves.toBe(true);
    }
    const asked = ['preview true', 'explain d;c', 'rebalance', 'directivesChanged', 'record ops'];
    expect(controls.asked).toEqual([...asked, ...asked]);
  });

  it('fail with the error of the master: invalid input by name and field, other errors by name and message', async () => {
    const { master, other } = await pair({
      explain: async () => {
        throw new InvalidInputError('workers', 'w occurs twice');
      },
      preview: () => {
        throw new RangeError('not today');
      },
    });
    for (const { requests } of [other, master]) {
      const explain = requests.call('explain', { subscriptionIdentifier: 'd;c' }, { call: 'explain' });
      await expect(explain).rejects.toEqual(new InvalidInputError('workers', 'w occurs twice'));
      const plan = requests.call('preview', { rebalance: false }, { call: 'plan' });
      await expect(plan).rejects.toMatchObject({
        name: 'MasterRequestError',
        problem: 'failed',
        message: 'plan: the master failed with RangeError: not today',
      });
      const wrong = requests.call('preview', { rebalance: 'yes' as never }, { call: 'plan' });
      await expect(wrong).rejects.toMatchObject({ name: 'InvalidInputError', field: 'rebalance' });
      const unheard = requests.call('toString' as MasterMethod, {}, { call: 'dance' });
      await expect(unheard).rejects.toMatchObject({ problem: 'unknown-method', call: 'dance' });
    }
    expect(master.failures).toEqual(['preview', 'preview']);
  });

  it('are carried out once: a repetition gets the answer that was lost', async () => {
    const { master, other, controls } = await pair();
    await other.requests.call('preview', { rebalance: false }, { call: 'plan' });
    const keys = clusterKeys(prefix);
    const request = JSON.stringify({ id: 'the-one', from: 'deaf', method: 'rebalance', params: {} });
    await raw.publish(keys.masterRequests, request);
    await until(() => controls.asked.includes('rebalance'));
    // The first answer was published before this point; a process that subscribes now has missed it.
    await other.requests.call('preview', { rebalance: false }, { call: 'plan' });
    const answers: string[] = [];
    const ear = raw.duplicate();
    ear.on('error', () => undefined);
    ear.on('message', (_channel, text: string) => answers.push(text));
    await ear.subscribe(keys.replies('deaf'));
    await raw.publish(keys.masterRequests, request);
    await until(() => answers.length === 1);
    closeRedis(ear);
    expect(JSON.parse(answers[0]!)).toEqual({ id: 'the-one', state: 'done', result: true });
    expect(controls.asked.filter((method) => method === 'rebalance')).toHaveLength(1);
    expect(master.invalid).toBe(0);
  });

  it('survive the loss of every listening connection', async () => {
    const { open, opened } = gate();
    const { other, controls } = await pair({ rebalance: () => opened });
    const call = other.rebalance();
    await until(() => controls.asked.length === 1);
    await raw.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    open();
    await expect(call).resolves.toBe(true);
    expect(controls.asked).toEqual(['rebalance']);
  });

  it('move to the successor; no process gets a late answer of the old master', async () => {
    const [master, successor, other] = start(3) as [Process, Process, Process];
    const [first, second] = [gate(), gate()];
    const old = new FakeControls({ rebalance: () => first.opened });
    const nextControls = new FakeControls({ rebalance: () => second.opened });
    master.controls = old;
    let answered = 0;
    const calls = [other, master].map((one) => one.rebalance().then(() => answered++));
    await until(() => old.asked.length === 2);
    master.controls = null;
    first.open();
    successor.controls = nextControls;
    await until(() => nextControls.asked.length === 2);
    expect(answered).toBe(0);
    second.open();
    await Promise.all(calls);
    expect([old.asked.length, nextControls.asked.length]).toEqual([2, 2]);
  });

  it.each([
    ['FencedError', new FencedError(1, 2)],
    ['TermOverError', new TermOverError(1)],
  ])('do not fail when they make a deposed master notice that it is deposed: %s', async (_name, error) => {
    const [master, successor, other] = start(3) as [Process, Process, Process];
    const old = new FakeControls({ rebalance: () => Promise.reject(error) });
    master.controls = old;
    const call = other.rebalance();
    await until(() => old.asked.length > 0);
    // Its replies to the earlier request precede the answer to this one.
    await other.requests.call('preview', { rebalance: false }, { call: 'plan' });
    master.controls = null;
    successor.controls = new FakeControls();
    await expect(call).resolves.toBe(true);
    expect(master.failures).toEqual([]);
  });

  it.each(['another process', 'the master itself'])(
    'are answered once, after the term that they end; until then they are in progress: %s',
    async (who) => {
      const { open, opened } = gate();
      const { master, other, controls } = await pair({
        resign: async ({ term }) => {
          master.controls = null;
          await opened;
          return { term, processId: 'it' };
        },
      });
      const { requests } = who === 'another process' ? other : master;
      await requests.call('preview', { rebalance: false }, { call: 'plan' });
      controls.asked.length = 0;
      const call = requests.call('resign', { term: 7 }, { call: 'resignMaster', timeout: 4_500 });
      // The call repeats its request in this time; without a sign of the former master its timeout would have expired.
      await sleep(5_000);
      open();
      await expect(call).resolves.toEqual({ term: 7, processId: 'it' });
      expect(controls.asked).toEqual(['resign 7']);
    },
  );

  it('that would end a later term fail with a named error', async () => {
    const { other } = await pair({
      resign: async ({ term }) => {
        throw new MasterChangedError(term, 9, 'successor');
      },
    });
    const call = other.requests.call('resign', { term: 7 }, { call: 'resignMaster' });
    await expect(call).rejects.toEqual(new MasterChangedError(7, 9, 'successor'));
  });

  it('are answered again by a later term of the same process', async () => {
    const { master, other, controls } = await pair({ rebalance: () => new Promise(() => undefined) });
    const call = other.rebalance();
    await until(() => controls.asked.length === 1);
    master.controls = new FakeControls();
    await expect(call).resolves.toBe(true);
  });

  it('fail in time with a named error when there is no master', async () => {
    const [one] = start(2) as [Process];
    const call = one.rebalance({ timeout: 300 });
    await expect(call).rejects.toEqual(new NoMasterError('rebalanceWorkers', 300));
  });

  it('wait for a master that reports progress, up to a limit', async () => {
    const { open, opened } = gate();
    const { other, master, controls } = await pair({ rebalance: () => opened });
    await other.requests.call('preview', { rebalance: false }, { call: 'plan' });
    controls.asked.length = 0;
    const limited = other.rebalance({ timeout: 10_000, limit: 1_000 });
    const remaining = other.rebalance({ timeout: 4_500 });
    await expect(limited).rejects.toMatchObject({ problem: 'timeout', call: 'rebalanceWorkers' });
    await sleep(4_000);
    open();
    await expect(remaining).resolves.toBe(true);
    expect(controls.asked).toHaveLength(2);
    // The master disappears during the request and sends nothing more.
    const endless = new FakeControls({ rebalance: () => new Promise(() => undefined) });
    master.controls = endless;
    const orphan = expect(other.rebalance({ timeout: 600 })).rejects.toBeInstanceOf(NoMasterError);
    await until(() => endless.asked.length === 1);
    master.controls = null;
    await orphan;
  });

  it('wait the whole timeout for the first sign of a master, whatever the limit', async () => {
    const [master, other] = start(2) as [Process, Process];
    const call = other.rebalance({ timeout: 20_000, limit: 100 });
    const outcome = call.catch((error: unknown) => error);
    await sleep(400);
    master.controls = new FakeControls({ rebalance: () => new Promise(() => undefined) });
    expect(await outcome).toMatchObject({ problem: 'timeout', call: 'rebalanceWorkers' });
  });

  it('fail when the answer does not fit into a message', async () => {
    const unplaced = Array.from({ length: 100_000 }, (_, i) => ({
      unitId: `camera-${i}`,
      reasons: { capacity: 10 },
    }));
    const huge = { unitId: 'x'.repeat(5_000_000) } as SubscriptionExplanation;
    const { other, master } = await pair({
      preview: async () => planReport({ ...emptyPlan, unplaced }),
      explain: async () => huge,
    });
    for (const { requests } of [other, master]) {
      const plan = await requests.call('preview', { rebalance: false }, { call: 'plan' });
      expect(plan.unplaced).toEqual(unplaced.slice(0, 1_000));
      expect(plan.omitted).toEqual({ actions: 0, held: 0, unplaced: 99_000, moves: 0 });
      const explain = requests.call('explain', { subscriptionIdentifier: 'd;c' }, { call: 'explain' });
      await expect(explain).rejects.toMatchObject({ problem: 'too-large', call: 'explain' });
    }
  });

  it('are not disturbed by messages that are no requests', async () => {
    const { master, other } = await pair();
    await other.rebalance();
    for (const text of ['garbage{', 'null', '{"id":7}'])
      await raw.publish(clusterKeys(prefix).masterRequests, text);
    await other.rebalance();
    expect(master.requests.invalid).toBe(3);
    expect(master.invalid).toBe(1);
  });

  it('reject when this process closes, and afterwards', async () => {
    const [one] = start(1) as [Process];
    const call = one.rebalance();
    const rejection = expect(call).rejects.toMatchObject({ problem: 'closed' });
    one.requests.close();
    await rejection;
    await expect(one.rebalance()).rejects.toBeInstanceOf(MasterRequestError);
  });

  it('survive a restart of Redis, and report when it stays unavailable', async () => {
    const { other, master, controls } = await pair();
    await other.rebalance();
    const down = server.restart({ downFor: 500 });
    await expect(other.rebalance({ timeout: 15_000 })).resolves.toBe(true);
    await down;

    await server.kill();
    const begun = performance.now();
    await expect(other.rebalance({ timeout: 600 })).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(590);
    // A process that still holds the lease answers its own requests without Redis.
    await expect(master.rebalance({ timeout: 600 })).resolves.toBe(true);
    expect(controls.asked).toHaveLength(3);
    const closing = other.rebalance({ timeout: 20_000 });
    const rejection = expect(closing).rejects.toMatchObject({ problem: 'closed' });
    other.close();
    await rejection;
    await server.start();
  });
});
