import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { until } from '../../../../test/support/until.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';
import { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const ID = 'd1;c1';
const LONG = 60_000;

const detection = (timestamp: string) => ({
  type: 'imageDetection',
  subscriptionIdentifier: ID,
  timestamp,
  data: { detection: { carBrand: 'x' }, modelId: 1, modelName: 'cars' },
});
const coordinator = ({ app }: ClusterProcess) => app.get(MasterSlaveWorkerCluster);
const instant = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** Of a worker that does not know terms, so that it closes no connection of a former master. */
describe('the connections of a former master', () => {
  let server: RedisService;
  let worker: PlainWorker;
  let processes: ClusterProcess[];
  let heard: string[];

  beforeEach(async () => {
    server = await startRedis();
    worker = await PlainWorker.start();
    processes = [];
    heard = [];
  });
  afterEach(async () => {
    server.resume();
    for (const each of processes) await each.stop();
    await worker.stop();
    await server.stop();
  });

  const join = async (prefix: string) => {
    const started = await ClusterProcess.start({
      prefix,
      redis: server.url,
      workers: [worker.url],
      timings: { adoptionTimeout: 1_000 },
    });
    processes.push(started);
    return started;
  };
  const watch = async (started: ClusterProcess) => {
    started.cluster.addGlobalDetectionListener(({ timestamp }) => heard.push(timestamp.toISOString()));
    await started.cluster.subscribe({
      subscriptionIdentifier: ID,
      rtspUrl: 'rtsp://x',
      modelUrl: 'http://m/x',
      modelId: 1,
      modelName: 'cars',
    });
    await started.active(1);
  };

  it('outlast an outage of Redis, and what workers send then is delivered in order by the same process', async () => {
    const only = await join(randomPrefix());
    await watch(only);
    const { term } = only.election;
    const { opened } = worker;
    const commands = [...worker.commands];

    worker.send(detection(instant(0)));
    await until(() => heard.length === 1, undefined, LONG);
    server.pause();
    await until(() => !only.election.getIsMaster(), undefined, LONG);
    expect([worker.connections, coordinator(only).retiredConnections]).toEqual([1, 1]);
    for (let second = 1; second < 6; second++) worker.send(detection(instant(second)));
    await until(() => coordinator(only).bufferedDetections === 5, undefined, LONG);
    expect([worker.connections, worker.opened]).toEqual([1, opened]);

    server.resume();
    await until(() => only.election.term > term && only.election.getIsMaster(), undefined, LONG);
    await until(() => worker.opened === opened + 1 && worker.connections === 1, undefined, LONG);
    await until(() => coordinator(only).retiredConnections === 0, undefined, LONG);
    await only.active(1);
    worker.send(detection(instant(6)));
    await until(
      () => heard.length >= 7,
      () => heard,
      LONG,
    );
    expect(heard).toEqual([0, 1, 2, 3, 4, 5, 6].map(instant));
    expect(worker.commands).toEqual(commands);
    expect(coordinator(only).sent).toMatchObject({ discarded: 0, bufferDropped: 0 });
  });

  it('are closed once another process has led for as long as a new master waits for workers', async () => {
    const prefix = randomPrefix();
    const former = await join(prefix);
    await watch(former);
    const next = await join(prefix);
    const { opened } = worker;
    await former.cluster.resignMaster();
    await until(() => next.election.getIsMaster(), undefined, LONG);
    await until(() => worker.opened === opened + 1 && worker.connections === 1, undefined, LONG);
    expect(coordinator(former).retiredConnections).toBe(0);
    await next.active(1);
  });

  it('end with the process', async () => {
    const only = await join(randomPrefix());
    await watch(only);
    server.pause();
    await until(() => !only.election.getIsMaster(), undefined, LONG);
    expect(worker.connections).toBe(1);
    processes.pop();
    const stopped = only.stop();
    await until(() => worker.connections === 0, undefined, LONG);
    server.resume();
    await stopped;
  });
});
