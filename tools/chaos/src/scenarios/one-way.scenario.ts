import type { Figures, ScenarioContext } from '../scenario.js';
import { deliverThrough, type Faulted } from '../support/deliver-through.js';
import { goesOn } from '../support/going-on.js';
import type { Direction } from '../support/link-connection.js';
import { pause, until } from '../support/until.js';

/** Milliseconds. */
const LASTS = { full: [1_000, 40_000], short: [1_000, 6_000] } as const;
const ROUNDS = { full: 3, short: 1 };
const TIMEOUT = 60_000;

/** Between which process and Redis, and in which direction, nothing arrives. */
const WAYS: readonly (readonly ['master' | 'follower', Direction])[] = [
  ['master', 'there'],
  ['master', 'back'],
  ['follower', 'there'],
  ['follower', 'back'],
];

/**
 * Between one backend and Redis, nothing arrives in one direction for a while; it comes when the network works again, as TCP sends
 * it again. So the last commands of a master reach Redis in the term of the next one, and Redis's old answers reach a master that is
 * none any more.
 */
export function oneWayScenario(context: ScenarioContext): Promise<Figures> {
  const { short } = context;
  const length = short ? 'short' : 'full';
  const [shortest, longest] = LASTS[length];
  return deliverThrough(
    context,
    { redisLinks: true },
    async (faulted) => {
      let replaced = 0;
      for (let round = 0; round < ROUNDS[length]; round++)
        for (const way of WAYS) {
          if (await disturb(context, faulted, way, context.random.between(shortest, longest))) replaced++;
          await goesOn(faulted.stage.journal, context.signal);
        }
      return { replaced, termsBack: faulted.watch.termsBack };
    },
    ({ termsBack }) => termsBack === 0,
  );
}

/** Resolves with whether another process became master. */
async function disturb(
  { signal, progress }: ScenarioContext,
  { stage, watch }: Faulted,
  [who, direction]: (typeof WAYS)[number],
  lasts: number,
): Promise<boolean> {
  const { backends } = stage.cluster;
  const master = await until(signal, 'one master', TIMEOUT, () => watch.master);
  const one = who === 'master' ? master : backends.find((each) => each !== master)!;
  const link = stage.redisLinks[backends.indexOf(one)]!;
  progress(`${lasts} ms without the way ${direction} of a ${who}`);
  link.vanish(direction);
  await pause(lasts, signal);
  link.reappear();
  return (await until(signal, 'one master', TIMEOUT, () => watch.master)) !== master;
}
