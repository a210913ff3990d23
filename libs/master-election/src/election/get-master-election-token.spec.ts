import { describe, expect, it } from 'vitest';
import { MasterElection } from './master-election.js';
import { getMasterElectionToken } from './get-master-election-token.js';

describe('getMasterElectionToken', () => {
  it('is the class for the election of forRoot', () => {
    expect(getMasterElectionToken()).toBe(MasterElection);
    expect(getMasterElectionToken('default')).toBe(MasterElection);
  });

  it('differs for each name', () => {
    expect(getMasterElectionToken('reports')).toBe(getMasterElectionToken('reports'));
    expect(getMasterElectionToken('reports')).not.toBe(getMasterElectionToken('mails'));
    expect(getMasterElectionToken('reports')).not.toBe(getMasterElectionToken());
  });
});
