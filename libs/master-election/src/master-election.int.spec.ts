import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ElectionStoppedError,
  ElectionTimeoutError,
  FormatLevelError,
  UnknownProcessError,
} from './shared/errors.js';
import type { MasterElectionOptions } from './shared/master-election-options.js';
import { startTestProcess, type TestProcess } from './test-support/test-process.js';

const servers = { 'Redis 7': process.env.REDIS_URL, 'Redis 8': process.env.REDIS8_URL };

for (const [name, url] of Object.entries(servers))
  (url ? describe : describe.skip)(`MasterElection on ${name}`, () => {
    let redis: Redis;
    let lockName: string;
    let processes: TestProcess[];

    beforeEach(() => {
      redis = new Redis(url!);
      lockName = `{cluster-${randomUUID()}}`;
      processes = [];
    });
    afterEach(async () => {
      await Promise.all(processes.map(({ app }) => app.close()));
      expect(await redis.hlen(`${lockName}:processes`)).toBe(0);
      const keys = await redis.keys(`${lockName}:*`);
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
    });

    const start = async (options: Partial<MasterElectionOptions> = {}) => {
      const started = await startTestProcess({ redis: url!, lockName, ...options });
      processes.push(started);
      return started;
    };
    const raiseFormats = () => redis.hset(`${lockName}:formats`, 'level', 2, 'version', '9.8.7');
    const masters = () => processes.filter(({ election }) => election.getIsMaster());
    const master = () =>
      eventually('one master', 10_000, () => (masters().length === 1 ? masters()[0] : undefined));

    it('elects one of five, and every process sees the same cluster', async () => {
      await Promise.all([start(), start(), start(), start(), start()]);
      const results = await Promise.all(processes.map(({ election }) => election.waitForElectionComplete()));
      expect(results.filter(Boolean)).toHaveLength(1);
      const first = await master();
      const ids = processes.map(({ election }) => election.getNodeId()).sort();
      for (const { election } of processes) {
        const all = await election.getAllProcesses();
        expect(all.map(({ nodeId }) => nodeId).sort()).toEqual(ids);
        expect(await election.getMasterProcess()).toMatchObject({
          nodeId: first.election.getNodeId(),
          role: 'master',
          identifier: 'cms-backend',
          channelName: `worker:slave:${first.election.getNodeId()}`,
        });
        expect(await election.getSlaveCount()).toBe(4);
        expect(await election.getProcessesByRole('slave')).toHaveLength(4);
        expect(election.term).toBe(first.election.term);
      }
      const [slave] = await first.election.getSlaves();
      expect(await first.election.getSlave(slave!.nodeId)).toMatchObject({ nodeId: slave!.nodeId });
      expect(await first.election.getSlave(first.election.getNodeId())).toBeNull();
      for (const { events, election } of processes)
        expect(events.filter((event) => event.startsWith('election') || event.startsWith('master'))).toEqual(
          election.getIsMaster()
            ? ['election-started', 'master-acquired', 'election-completed true']
            : ['election-started', 'election-completed false'],
        );
    });

    it('tells which processes have closed their presence connection, and never names itself', async () => {
      const [one, two] = [await start(), await start()];
      const seen = await eventually('both show their presence', 10_000, async () => {
        const all = await one.election.getAllProcesses();
        return all.every(({ showsPresence }) => showsPresence) ? all : undefined;
      });
      expect(await one.election.getAbsent(seen)).toEqual(new Set());
      // No process of this start has a connection.
      const dead = seen.map((process) => ({ ...process, bootId: randomUUID(), showsPresence: true }));
      expect(await one.election.getAbsent(dead)).toEqual(new Set([two.election.getNodeId()]));
      const silent = dead.map((process) => ({ ...process, showsPresence: false }));
      expect(await one.election.getAbsent(silent)).toEqual(new Set());
    });

    it('informs the master once of each process that joins and leaves', async () => {
      const first = await start();
      await first.election.waitForElectionComplete();
      const [second, third] = await Promise.all([start(), start()]);
      const id = second.election.getNodeId();
      await eventually('both registered', 5_000, () => slaveEvents(first).length === 2);
      await second.app.close();
      await eventually('removed', 5_000, () => slaveEvents(first).length === 3);
      expect(slaveEvents(first).filter((event) => event.endsWith(id))).toEqual([
        `slave-registered ${id}`,
        `slave-removed ${id}`,
      ]);
      expect(slaveEvents(second)).toEqual([]);
      expect(slaveEvents(third)).toEqual([]);
    });

    it('hands over when the master resigns, and reports the members to the new one', async () => {
      await Promise.all([start(), start(), start()]);
      const first = await master();
      const { lease } = first.election;
      await first.election.resign();
      expect([lease!.isValid(), lease!.signal.aborted]).toEqual([false, true]);
      const second = await master();
      expect(second).not.toBe(first);
      expect(second.election.term).toBeGreaterThan(lease!.term);
      await eventually('knows the others', 5_000, () => slaveEvents(second).length === 2);
      expect(first.events).toContain('master-lost resigned');
      await eventually('follows', 5_000, () => first.events.at(-1) === 'election-completed false');
    });

    it('hands over when the master is closed', async () => {
      await Promise.all([start(), start()]);
      const first = await master();
      const closing = first.app.close();
      const second = await eventually('the other', 5_000, () =>
        processes.find((candidate) => candidate !== first && candidate.election.getIsMaster()),
      );
      await closing;
      expect(first.events.at(-1)).toBe('master-lost stopped');
      expect(await second.election.getAllProcesses()).toHaveLength(1);
      await expect(first.election.getAllProcesses()).rejects.toThrow(ElectionStoppedError);
      await expect(first.election.waitForElectionComplete()).rejects.toThrow(ElectionStoppedError);
    });

    it('publishes metadata and capabilities', async () => {
      const [a, b] = await Promise.all([start({ metadata: { zone: 'a' } }), start()]);
      const id = a.election.getNodeId();
      expect(a.election.getMetadata()).toEqual({ zone: 'a' });
      a.election.setMetadata({ zone: 'b' });
      const capabilities = { canProcessDetections: false, maxSubscriptions: 7, preferredWorkload: 50 };
      await a.election.registerProcess({
        processId: id,
        nodeId: id,
        role: 'slave',
        lastSeen: new Date().toISOString(),
        capabilities,
      });
      const seen = (await b.election.getAllProcesses()).find(({ nodeId }) => nodeId === id);
      expect(seen).toMatchObject({ metadata: { zone: 'b' }, capabilities });
      expect(() => a.election.setMetadata({ big: 1n })).toThrow(TypeError);
    });

    it('keeps registrations of other processes', async () => {
      const { election } = await start();
      const other = {
        processId: 'other',
        nodeId: 'other',
        role: 'master' as const,
        lastSeen: new Date(0).toISOString(),
        capabilities: { canProcessDetections: true, maxSubscriptions: 1, preferredWorkload: 1 },
      };
      await expect(election.updateProcessHeartbeat('other')).rejects.toThrow(UnknownProcessError);
      await election.registerProcess(other);
      const before = await election.getSlave('other');
      await sleep(20);
      await election.updateProcessHeartbeat('other');
      const after = await election.getSlave('other');
      expect(Date.parse(after!.lastSeen)).toBeGreaterThan(Date.parse(before!.lastSeen));
      expect(after!.registeredAt).toBe(before!.registeredAt);
      expect(election.getProcessChannel('other')).toBe('worker:slave:other');
      await election.unregisterProcess('other');
      expect(await election.getSlave('other')).toBeNull();
      await expect(election.registerProcess({ ...other, processId: 'a;b' })).rejects.toThrow(TypeError);
    });

    it('refuses a registration that no process could read', async () => {
      const { election } = await start();
      const processId = election.getNodeId();
      const self = {
        processId,
        nodeId: processId,
        role: 'slave' as const,
        lastSeen: new Date().toISOString(),
      };
      for (const capabilities of [undefined, { canProcessDetections: true }, { preferredWorkload: 'all' }])
        await expect(
          election.registerProcess({ ...self, capabilities: capabilities as never }),
        ).rejects.toThrow('capabilities.maxSubscriptions must be a whole number');
      await election.updateProcessHeartbeat(processId);
      expect(await election.getAllProcesses()).toHaveLength(1);
    });

    it('leaves the registry and returns to it on request', async () => {
      const { election } = await start();
      const id = election.getNodeId();
      await election.unregisterProcess(id);
      expect(await election.getAllProcesses()).toEqual([]);
      await election.updateProcessHeartbeat(id);
      expect(await election.getAllProcesses()).toHaveLength(1);
    });

    it('refuses the node id of a live process', async () => {
      const first = await start({ nodeId: 'node' });
      await eventually('present', 5_000, async () => {
        const channels = (await redis.pubsub('CHANNELS', `${lockName}:presence:node:*`)) as string[];
        return channels.length > 0;
      });
      await expect(startTestProcess({ redis: url!, lockName, nodeId: 'node' })).rejects.toMatchObject({
        name: 'DuplicateNodeIdError',
        nodeId: 'node',
      });
      expect(await first.election.getAllProcesses()).toHaveLength(1);
      expect((await master()).election).toBe(first.election);
      expect(await first.election.getMasterProcess()).toMatchObject({ nodeId: 'node' });
    });

    describe('where the cluster writes formats of a later version', () => {
      it('does not let a process start, which says the version to use', async () => {
        await raiseFormats();
        const options = { redis: url!, lockName };
        await expect(startTestProcess(options)).rejects.toThrow(
          'the cluster writes formats of level 2, and this process understands them up to level 1: start version 9.8.7 or newer',
        );
        expect(await redis.exists(`${lockName}:processes`, `${lockName}:lease`)).toBe(0);
      });

      it('ends the part of a process at its next registration', async () => {
        const { election, events } = await start();
        await master();
        await raiseFormats();
        await expect(election.updateProcessHeartbeat(election.getNodeId())).rejects.toThrow(FormatLevelError);
        await eventually('the end', 10_000, () => events.includes('master-lost stopped'));
        expect(events.filter((event) => event === 'error FormatLevelError')).toHaveLength(1);
        await expect(election.waitForElectionComplete()).rejects.toThrow();
        await eventually('no lease', 10_000, async () => (await redis.exists(`${lockName}:lease`)) === 0);
      });

      it('removes a process that registered when Redis had lost the level', async () => {
        const first = await start();
        await master();
        const old = { ...(await first.election.getMasterProcess()), processId: 'old', formatLevel: 0 };
        await redis.hset(`${lockName}:processes`, 'old', JSON.stringify(old));
        await eventually(
          'the removal',
          10_000,
          async () => !(await redis.hexists(`${lockName}:processes`, 'old')),
        );
        expect(first.events).not.toContain('slave-registered old');
      });
    });

    it('waits for an election no longer than the timeout', async () => {
      await redis.hset(`${lockName}:lease`, 'owner', 'x:boot:1', 'term', '1');
      const { election } = await start();
      await expect(election.waitForElectionComplete(5_000)).resolves.toBe(false);
      await redis.del(`${lockName}:lease`);
      const away = startTestProcess({ redis: 'redis://127.0.0.1:1', lockName });
      const { election: alone, app } = await away;
      await expect(alone.waitForElectionComplete(50)).rejects.toThrow(ElectionTimeoutError);
      await app.close();
    });

    it('survives an error that has no listener', async () => {
      const { election, app } = await startTestProcess({ redis: 'redis://127.0.0.1:1', lockName });
      election.removeAllListeners('error');
      await expect(election.waitForElectionComplete(300)).rejects.toThrow(ElectionTimeoutError);
      await app.close();
    });
  });

function slaveEvents({ events }: TestProcess): string[] {
  return events.filter((event) => event.startsWith('slave'));
}
