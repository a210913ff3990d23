import type { Figures, ScenarioContext } from '../scenario.js';
import {
  backendThatIs,
  deliverThrough,
  type FaultFigures,
  type Faulted,
  summary,
} from '../support/deliver-through.js';
import { type DutyCycle, slowed } from '../support/slowed.js';

const LASTS = { full: 20_000, short: 7_000 };
/** Milliseconds. A short run has other programs beside it. */
const MAX_BACK = { full: 5_000, short: 20_000 };
/** How often another process may become master. */
const MAX_CHANGES = 1;
const SLOW_REDIS: DutyCycle = { runs: 100, stands: 300 };
const FIFTH: DutyCycle = { runs: 20, stands: 80 };

/** Each part makes something slow for a while; nothing fails. */
export async function slowScenario(context: ScenarioContext): Promise<Figures> {
  const { signal } = context;
  const length = context.short ? 'short' : 'full';
  const backend = (who: 'master' | 'follower') => async (faulted: Faulted) =>
    slowed(await backendThatIs(who, faulted, signal), FIFTH, LASTS[length], signal);
  const parts: Record<string, (faulted: Faulted) => Promise<void>> = {
    redis: ({ stage }) => slowed(stage.redis!, SLOW_REDIS, LASTS[length], signal),
    master: backend('master'),
    owner: backend('follower'),
  };
  const results: Record<string, Figures & FaultFigures> = {};
  for (const [name, fault] of Object.entries(parts)) {
    results[name] = await deliverThrough(
      context,
      {},
      async (faulted) => {
        await fault(faulted);
        return {};
      },
      ({ recoveredMs, changes }) => recoveredMs <= MAX_BACK[length] && changes <= MAX_CHANGES,
    );
    context.progress(`${name}: ${JSON.stringify(results[name])}`);
    if (!results[name].ok) break;
  }
  return summary(results);
}
