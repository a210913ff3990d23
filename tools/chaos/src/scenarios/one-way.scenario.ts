import type { Figures, ScenarioContext } from '../scenario.js';
import { backendThatIs, deliverThrough, PROMISES, type Faulted } from '../support/deliver-through.js';
import { goesOn } from '../support/going-on.js';
import type { Direction } from '../support/link-connection.js';
import { pause } from '../support/until.js';

/** Milliseconds. */
const LASTS = { full: [1_000, 40_000], short: [1_000, 6_000] } as const;
const ROUNDS = { full: 3, short: 1 };

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
    { redisLinks: true, promises: [...PROMISES, 'termsBack'] },
    async (faulted) => {
      for (let round = 0; round < ROUNDS[length]; round++)
        for (const way of WAYS) {
          await disturb(context, faulted, way, context.random.between(shortest, longest));
          await goesOn(faulted.stage.history, context.signal);
        }
      return { termsBack: faulted.watch.claims.termsBack };
    },
    () => true,
  );
}

async function disturb(
  { signal, progress }: ScenarioContext,
  faulted: Faulted,
  [who, direction]: (typeof WAYS)[number],
  lasts: number,
): Promise<void> {
  const { cluster, redisLinks } = faulted.stage;
  const one = await backendThatIs(who, faulted, signal);
  const link = redisLinks[cluster.backends.indexOf(one)]!;
  progress(`${lasts} ms without the way ${direction} of a ${who}`);
  link.vanish(direction);
  await pause(lasts, signal);
  link.reappear();
}
