import { TcpProxy } from '@detector-cluster/dev-services';
import { closeRedis } from '@detector-cluster/election/redis';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { eventually } from '../../../../test/support/until.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { ActualRecordsReader } from './actual-records-reader.js';

vi.setConfig({ testTimeout: 120_000 });

const idsOf = async (reader: ActualRecordsReader) => {
  const { tracked, written } = await reader.read();
  expect([...written.keys()]).toEqual([...tracked.keys()]);
  return [...tracked.keys()].sort();
};

describe('the records of a master that is absent', () => {
  const redis = openPatientRedis(process.env.REDIS_URL!);
  const keys = clusterKeys(`{test-${randomUUID()}}:`);
  const reading = vi.spyOn(redis, 'hscan');
  const write = (revision: string, ids: readonly string[]) =>
    redis
      .multi()
      .set(keys.actualRevision, revision)
      .hset(keys.actual, Object.fromEntries(ids.map((id) => [id, '{"assignedWorkerUrl":"ws://a"}'])))
      .exec();
  beforeEach(async () => {
    await redis.del(keys.actual, keys.actualRevision);
    await write('1-1', ['d1;c', 'd2;c']);
    reading.mockClear();
  });
  afterAll(async () => {
    await redis.del(keys.actual, keys.actualRevision);
    closeRedis(redis);
  });

  it('are read once, before its successor asks for them', async () => {
    const reader = new ActualRecordsReader(redis, keys);
    reader.readAhead();
    reader.readAhead();
    await vi.waitFor(() => expect(reading).toHaveBeenCalledOnce());
    expect(await idsOf(reader)).toEqual(['d1;c', 'd2;c']);
    expect(reading).toHaveBeenCalledOnce();
    // The next term of this process must not continue with them.
    await redis.hdel(keys.actual, 'd1;c');
    expect(await idsOf(reader)).toEqual(['d2;c']);
  });

  it('are read again if they have changed since', async () => {
    const reader = new ActualRecordsReader(redis, keys);
    reader.readAhead();
    await vi.waitFor(() => expect(reading).toHaveBeenCalledOnce());
    await write('1-2', ['d3;c']);
    expect(await idsOf(reader)).toEqual(['d1;c', 'd2;c', 'd3;c']);
  });

  it('are read again if Redis has lost their revision', async () => {
    const reader = new ActualRecordsReader(redis, keys);
    await redis.del(keys.actualRevision);
    reader.readAhead();
    await vi.waitFor(() => expect(reading).toHaveBeenCalledOnce());
    await redis.hdel(keys.actual, 'd1;c');
    expect(await idsOf(reader)).toEqual(['d2;c']);
  });

  it('are read again if Redis did not answer', async () => {
    const reader = new ActualRecordsReader(redis, keys);
    reading.mockRejectedValueOnce(new Error('gone'));
    reader.readAhead();
    await vi.waitFor(() => expect(reading).toHaveBeenCalledOnce());
    expect(await idsOf(reader)).toEqual(['d1;c', 'd2;c']);
  });

  it('are forgotten if this process is not elected', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reader = new ActualRecordsReader(redis, keys);
    reader.readAhead();
    await vi.waitFor(() => expect(reading).toHaveBeenCalledOnce());
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    await redis.hdel(keys.actual, 'd1;c');
    expect(await idsOf(reader)).toEqual(['d2;c']);
  });

  it('are read before another process is master', async () => {
    const prefix = `{${randomUUID()}}:`;
    const [direct, proxy] = [new URL(process.env.REDIS_URL!), await TcpProxy.to(Number(redis.options.port))];
    const happened: string[] = [];
    const ahead = vi.spyOn(ActualRecordsReader.prototype, 'readAhead');
    const master = await ClusterProcess.start({
      prefix,
      workers: [],
      redis: Object.assign(new URL(direct), { host: `127.0.0.1:${proxy.port}` }).href,
    });
    const other = await ClusterProcess.start({ prefix, workers: [] });
    try {
      ahead.mockImplementation(() => void happened.push('reads'));
      other.election.on('master-acquired', () => happened.push('leads'));
      await proxy.stop();
      await eventually('another master', 60_000, () => other.election.getIsMaster());
      // Redis may be slow to answer, and then says it again.
      expect([...new Set(happened)]).toEqual(['reads', 'leads']);
    } finally {
      ahead.mockRestore();
      await other.stop();
      await master.stop();
      await proxy.stop();
    }
  });
});
