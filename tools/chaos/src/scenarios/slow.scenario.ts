import type { AppProcess } from '@detector-cluster/local-cluster';
import type { Figures, ScenarioContext } from '../scenario.js';
import { deliverThrough, type Faulted, summary } from '../support/deliver-through.js';
import { goesOn } from '../support/going-on.js';
import { type DutyCycle, slowed } from '../support/slowed.js';
import { until } from '../support/until.js';

const LASTS = { full: 20_000, short: 7_000 };
/** Milliseconds. A short run has other programs beside it. */
const MOST_BACK = { full: 5_000, short: 20_000 };
/** How often another process may become master. */
const MOST_CHANGES = 1;
const TIMEOUT = 60_000;
const SLOW_REDIS: DutyCycle = { runs: 100, stands: 300 };
const FIFTH: DutyCycle = { runs: 20, stands: 80 };

/** Each part makes something slow for a while; nothing fails. */
export async function slowScenario(context: ScenarioContext): Promise<Figures> {
  const { signal } = context;
  const length = context.short ? 'short' : 'full';
  const backend = async ({ watch, stage }: Faulted, is: 'master' | 'owner'): Promise<AppProcess> => {
    const master = await until(signal, 'one master', TIMEOUT, () => watch.master);
    return is === 'master' ? master : stage.cluster.backends.find((each) => each !== master)!;
  };
  const parts: Record<string, (faulted: Faulted) => Promise<void>> = {
    redis: ({ stage }) => slowed(stage.redis!, SLOW_REDIS, LASTS[length], signal),
    master: async (faulted) => slowed(await backend(faulted, 'master'), FIFTH, LASTS[length], signal),
    owner: async (faulted) => slowed(await backend(faulted, 'owner'), FIFTH, LASTS[length], signal),
  };
  const results: Record<string, Awaited<ReturnType<typeof play>>> = {};
  for (const [name, fault] of Object.entries(parts)) {
    results[name] = await play(context, fault);
    context.progress(`${name}: ${JSON.stringify(results[name])}`);
    if (!results[name].ok) break;
  }
  return summary(results);
}

function play(context: ScenarioContext, fault: (faulted: Faulted) => Promise<void>) {
  const length = context.short ? 'short' : 'full';
  return deliverThrough(
    context,
    {},
    async (faulted) => {
      await fault(faulted);
      const before = performance.now();
      await goesOn(faulted.stage.journal, context.signal);
      return { recoveredMs: Math.round(performance.now() - before) };
    },
    ({ recoveredMs, changes }) => recoveredMs <= MOST_BACK[length] && changes <= MOST_CHANGES,
  );
}
