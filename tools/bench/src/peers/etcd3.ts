import { Etcd3, type Campaign } from 'etcd3';
import type { LeaderLibrary } from './leader-library.js';

/** As in its documentation: 5 s after an error, a new campaign begins. */
const PAUSE = 5_000;

/** `election(…).campaign(…)` with the default of 60 s. */
export const etcd3: LeaderLibrary = {
  store: 'etcd',
  leaseMs: 60_000,
  join: async ({ storeUrl, lock, onElected }) => {
    const client = new Etcd3({ hosts: storeUrl });
    const election = client.election(lock);
    let campaign: Campaign;
    let leads = false;
    let left = false;
    const run = () => {
      if (left) return;
      campaign = election.campaign(`candidate-${process.pid}`);
      campaign.on('elected', () => {
        leads = true;
        onElected();
      });
      campaign.on('error', () => {
        leads = false;
        setTimeout(run, PAUSE);
      });
    };
    run();
    return {
      isLeader: () => leads,
      leave: async () => {
        left = true;
        await campaign.resign();
        leads = false;
        client.close();
      },
    };
  },
};
