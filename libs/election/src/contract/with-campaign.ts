import type { ElectionBackend } from './election-backend.js';

/** The backend with other campaigns, which pass on the states of its own. */
export function withCampaign(
  backend: ElectionBackend,
  campaign: ElectionBackend['campaign'],
): ElectionBackend {
  return {
    name: backend.name,
    campaign,
    resign: () => backend.resign(),
    close: () => backend.close(),
  };
}
