import { phrase, type Phrase } from '../wording/phrase.js';

interface ActionWords {
  /** What was done. */
  readonly done: string;
  /** The same before the name of the target; left out: the operation has no target. */
  readonly doneTo?: string;
}

const entries = (id: string, one: string, many: string): Readonly<Record<string, ActionWords>> => ({
  [`${id}Create`]: { done: `added a ${one}`, doneTo: `added ${one}` },
  [`${id}PutAll`]: { done: `added or changed ${many}`, doneTo: `added or changed ${many}` },
  [`${id}Update`]: { done: `changed a ${one}`, doneTo: `changed ${one}` },
  [`${id}Remove`]: { done: `removed a ${one}`, doneTo: `removed ${one}` },
});

/** The operations of the service that change something, by their ids in its API description. */
export const OPERATOR_ACTIONS: Readonly<Record<string, ActionWords>> = {
  ...entries('cameras', 'camera', 'cameras'),
  ...entries('displays', 'display', 'displays'),
  ...entries('models', 'model', 'models'),
  ...entries('playlists', 'playlist', 'playlists'),
  clusterRebalance: { done: 'requested a rebalance' },
  clusterRegenerate: { done: 'had the database read again' },
  clusterSetSession: {
    done: 'changed the session of a subscription',
    doneTo: 'changed the session of subscription',
  },
  deadLettersDrop: { done: 'dropped dead letters' },
  deadLettersReplay: { done: 'replayed dead letters' },
  masterResign: { done: 'had the master hand over' },
  modelVersionsSet: { done: 'changed the version of a model', doneTo: 'changed the version of model' },
  workersCordon: { done: 'cordoned a worker', doneTo: 'cordoned worker' },
  workersDrain: { done: 'started to drain a worker', doneTo: 'started to drain worker' },
  workersUncordon: { done: 'uncordoned a worker', doneTo: 'uncordoned worker' },
};

/**
 * What a person or a program has done.
 * @param target null: the event names none
 * @param problem why it was refused; null: it was done
 */
export function actionSentence(
  by: string,
  action: string,
  target: string | null,
  problem: string | null = null,
): Phrase {
  const known = Object.hasOwn(OPERATOR_ACTIONS, action) ? OPERATOR_ACTIONS[action] : undefined;
  const doneTo = target === null ? undefined : known?.doneTo;
  const not = problem === null ? '' : 'has not ';
  const done =
    known === undefined
      ? phrase`${by}: ${separated(action)}`
      : phrase`${by} ${[`${not}${doneTo ?? known.done}`]}`;
  const named = phrase`${[doneTo === undefined ? ', target ' : ' ']}${target ?? ''}`;
  const whole = phrase`${done}${target === null ? [] : named}.`;
  return problem === null ? whole : phrase`${whole} ${problem}`;
}

/** `moon light up` for the id `moonLightUp`. Other texts stay as they are: an application may record any. */
function separated(action: string): string {
  if (!/^[a-z]+(?:[A-Z][a-z]*)+$/.test(action)) return action;
  return action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
