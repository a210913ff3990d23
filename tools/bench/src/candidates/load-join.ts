import { Elector } from '@detector-cluster/election';
import { benchBackend, isBackendName, type BackendName } from '../backends/bench-backends.js';
import { libraries, type LeaderLibrary, type LibraryName } from '../peers/leader-libraries.js';

/** How a candidate competes: with a whole library, or with one of our backends under an `Elector`. */
export type CandidateName = LibraryName | BackendName;

export function joinOf(name: CandidateName): LeaderLibrary['join'] {
  return isBackendName(name) ? joinElection(name) : libraries[name].join;
}

/** Competes through an `Elector` with a backend. */
function joinElection(name: BackendName): LeaderLibrary['join'] {
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
        await election.close?.();
      },
    };
  };
}
