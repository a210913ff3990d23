// An application that writes every 5 ms while its library says that it leads.
import { Elector } from '@detector-cluster/election';
import { benchBackends, isBackendName, type BackendName } from './bench-backends.js';
import type { CandidateArguments, CandidateName } from './candidate-group.js';
import { JournalWriter } from './journal-writer.js';
import { libraries, type LeaderLibrary } from './leader-libraries.js';

const WRITE_EVERY = 5;

const { library, storeUrl, lock, journal } = JSON.parse(process.argv[2]!) as CandidateArguments;
const writer = new JournalWriter(journal);
const candidacy = await joinOf(library)({ storeUrl, lock, onElected: () => writer.add('elected') });
process.once('SIGTERM', () => {
  // Errors at the end go to the log.
  void candidacy.leave().finally(() => process.exit());
});
setInterval(() => {
  if (candidacy.isLeader()) writer.add('wrote');
}, WRITE_EVERY);
writer.add('joined');

function joinOf(name: CandidateName): LeaderLibrary['join'] {
  return isBackendName(name) ? joinElection(name) : libraries[name].join;
}

/** Competes through an `Elector` with a backend. */
function joinElection(name: BackendName): LeaderLibrary['join'] {
  return async ({ storeUrl, lock, onElected }) => {
    const election = await benchBackends[name].open({ url: storeUrl, lock });
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
