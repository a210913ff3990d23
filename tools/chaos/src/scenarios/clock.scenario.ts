import type { Figures, ScenarioContext } from '../scenario.js';
import {
  backendThatIs,
  deliverThrough,
  type FaultFigures,
  type Faulted,
} from '../support/deliver-through.js';
import { goesOn } from '../support/going-on.js';
import { pause } from '../support/until.js';
import { type ClockError, WrongClocks } from '../support/wrong-clocks.js';

const LASTS = { full: 20_000, short: 4_000 };
const HOUR = 3_600_000;

/** Of the master's wall clock, and of a follower's. */
const ERRORS: readonly (readonly ['master' | 'follower', Partial<ClockError>])[] = [
  ['follower', { ahead: HOUR }],
  ['follower', { ahead: -HOUR }],
  ['master', { ahead: -HOUR }],
  ['master', { gains: 0.002 }],
  ['master', { gains: -0.05 }],
  // The last one: it may cost the master its lease, because its machine may have slept.
  ['master', { ahead: HOUR }],
];

/**
 * The wall clock of one backend is wrong: suddenly by an hour, or more and more. Nothing depends on it, but for one: a master whose
 * clock jumps ahead may have slept, so it resigns.
 */
export async function clockScenario(context: ScenarioContext): Promise<Figures> {
  const clocks = await WrongClocks.create();
  try {
    return await deliverThrough(
      context,
      { backendEnv: clocks.env },
      (faulted) => disturb(context, faulted, clocks),
      ({ changes, changesBefore, online }: FaultFigures & Disturbed) =>
        changesBefore === 0 && changes <= 1 && online,
    );
  } finally {
    await clocks.close();
  }
}

interface Disturbed {
  /** Of the master, before its clock jumped ahead. */
  readonly changesBefore: number;
  /** No worker was lost. */
  readonly online: boolean;
}

async function disturb(
  { short, signal, progress }: ScenarioContext,
  faulted: Faulted,
  clocks: WrongClocks,
): Promise<Disturbed> {
  const { stage, watch } = faulted;
  let changesBefore = 0;
  let online = true;
  for (const [who, error] of ERRORS) {
    const one = await backendThatIs(who, faulted, signal);
    changesBefore = watch.claims.changes;
    progress(`${JSON.stringify(error)} at the ${who}`);
    await clocks.set(one, error);
    await pause(LASTS[short ? 'short' : 'full'] / ERRORS.length, signal);
    await goesOn(stage.history, signal);
    const { workers } = await stage.cluster.state();
    online &&= workers.every(({ state }) => state === 'Ready');
    if (error.ahead !== HOUR) await clocks.set(one, {});
  }
  return { changesBefore, online };
}
