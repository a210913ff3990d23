import { FakeMasterElection } from '@detector-cluster/master-election/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NoMasterError } from '../shared/master-errors.js';
import { presentTerm } from './present-term.js';

describe('presentTerm', () => {
  let election: FakeMasterElection;
  beforeEach(() => {
    election = new FakeMasterElection();
  });
  afterEach(() => election.stop());

  const ask = (timeout: number) => presentTerm(election, { call: 'resignMaster', timeout });

  it('is the term of the master, also when another process is master', async () => {
    const { term } = await election.becomeMaster();
    expect(await ask(0)).toBe(term);
    await election.followMaster();
    expect(await ask(0)).toBe(election.term);
    expect(election.term).toBeGreaterThan(term);
  });

  it('waits for a master, up to the given timeout', async () => {
    await election.onApplicationBootstrap();
    const asked = ask(30_000);
    const { term } = await election.becomeMaster();
    expect(await asked).toBe(term);
    await election.loseMaster();
    await expect(ask(1)).rejects.toEqual(new NoMasterError('resignMaster', 1));
  });
});
