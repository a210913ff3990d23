import type { LeaderInfo } from '../model/leader-info.js';
import type { LeaderRecord } from '../store/leader-record.js';

/** The leader of a record, in the form that members exchange. A record without a leader yields id 0. */
export function infoOfRecord({ leader, term, revision }: LeaderRecord): LeaderInfo {
  const { id, address, name } = leader ?? { id: 0, address: '', name: '' };
  return { id, address, name, term, revision, barred: 0 };
}
