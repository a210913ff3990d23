import { Elector } from '@detector-cluster/election';
import type { LeaderLibrary } from '../peers/leader-library.js';
import { benchBackend, type BackendName } from './bench-backends.js';

/** Competes through an `Elector` with a backend. */
export function joinElection(name: BackendName): LeaderLibrary['join'] {
  return async ({ storeUrl, lock, onElected }) => {
    const election = await benchBackend(name).open({ url: storeUrl, lock });
    const backend = election.member();
    const elector = new Elector({ backend, candidate: { id: `candidate-${process.pid}` } });
    elector.on('acquired', () => onElected());
    // The elector retries if the store is unavailable.
    elector.on('error', (error) => process.stderr.write(`${error.message}\n`));
    elector.start();
    return {
      isLeader: () => elector.lease?.isValid() ?? false,
      leave: async () => {
        await elector.stop();
        await backend.close();
        await election.close();
      },
    };
  };
}
