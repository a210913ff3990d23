import type { ElectionBackend, ElectionState } from '@detector-cluster/election';
import { withCampaign } from '@detector-cluster/election/internal';

/** A backend that passes each state to an observer before the reader of the campaign gets it. */
export function observed(backend: ElectionBackend, onState: (state: ElectionState) => void): ElectionBackend {
  return withCampaign(backend, async function* (candidate, signal) {
    for await (const state of backend.campaign(candidate, signal)) {
      onState(state);
      yield state;
    }
  });
}
