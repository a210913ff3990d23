import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { InvalidOptionsError } from './shared/resolve-options.js';
import { getMasterElection, initialize } from './standalone.js';

const options = () =>
  ({ redis: process.env.REDIS_URL!, lockName: `{${randomUUID()}}`, timing: 'fast' }) as const;

describe('an election without Nest', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterEach(async () => {
    try {
      await getMasterElection().stop();
    } catch {
      // The test has already stopped it.
    }
  });

  it('exists from the call of initialize until stop(), once per program', async () => {
    expect(() => getMasterElection()).toThrow('call initialize() first');
    const joining = initialize({ ...options(), identifier: 'without-nest' });
    const election = getMasterElection();
    const heard: boolean[] = [];
    election.on('election-completed', (isMaster) => heard.push(isMaster));
    expect(await joining).toBe(election);
    expect(heard).toEqual([true]);
    expect(election.getIsMaster()).toBe(true);
    expect((await election.getMasterProcess())?.identifier).toBe('without-nest');
    await expect(initialize(options())).rejects.toThrow('takes part in an election already');
    await election.stop();
    expect(() => getMasterElection()).toThrow('call initialize() first');
    expect((await initialize(options())).getIsMaster()).toBe(true);
  });

  it('does not exist after initialize rejects its options', async () => {
    await expect(initialize({ ...options(), lockTtl: -1 })).rejects.toBeInstanceOf(InvalidOptionsError);
    expect(() => getMasterElection()).toThrow('call initialize() first');
  });

  it('accepts the documented form of a registration, and derives the channel from the id', async () => {
    const election = await initialize(options());
    const now = new Date().toISOString();
    const process = {
      processId: 'other',
      nodeId: 'other',
      role: 'slave',
      channelName: 'worker:slave:other',
      lastSeen: now,
      capabilities: { canProcessDetections: true, maxSubscriptions: 100, preferredWorkload: 80 },
    } as const;
    await election.registerProcess(process);
    expect(await election.getProcessesByRole('slave')).toMatchObject([
      { processId: 'other', channelName: 'worker:slave:other' },
    ]);
    await expect(election.registerProcess({ ...process, channelName: 'mine' })).rejects.toThrow(
      'channelName must be "worker:slave:other", or left out',
    );
  });
});
