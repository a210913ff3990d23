import type { LeaderInfo } from '../model/leader-info.js';
import type { LeaderRecord } from '../store/leader-record.js';

/** What members tell each other of the leader that a record names; of one without a leader, that nobody leads. */
export function infoOfRecord({ leader, term, revision }: LeaderRecord): LeaderInfo {
  const { id, address, name } = leader ?? { id: 0, address: '', name: '' };
  return { id, address, name, term, revision, barred: 0 };
}
