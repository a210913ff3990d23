// An application that writes every 5 ms while its library says that it leads.
import type { CandidateArguments } from './candidate-group.js';
import { JournalWriter } from './journal.js';
import { joinOf } from './load-join.js';

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
