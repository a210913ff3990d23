import { isBackendName, type BackendName } from '../backends/bench-backends.js';
import { joinElection } from '../backends/join-election.js';
import { loadLibrary, type LibraryName } from '../peers/leader-libraries.js';
import type { LeaderLibrary } from '../peers/leader-library.js';

/** How a candidate competes: with a whole library, or with one of our backends under an `Elector`. */
export type CandidateName = LibraryName | BackendName;

export async function loadJoin(name: CandidateName): Promise<LeaderLibrary['join']> {
  return isBackendName(name) ? joinElection(name) : (await loadLibrary(name)).join;
}
