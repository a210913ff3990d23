import { startRedis } from '@detector-cluster/dev-services';
import { percentile, slowEnd } from '../support/percentile.js';
import { progress } from '../support/progress.js';
import { elections, untilElectable } from './elections.js';
import { registrations } from './registrations.js';
import { steadyCost } from './steady-cost.js';

const UNCONTESTED = 200;
const CANDIDATES = 50;
const CONTESTED = 20;
const REGISTRATIONS = 500;

/** Measures an uncontested election, one with 50 candidates, the registry's upsert, and the cost of an idle process. */
export async function electionBench() {
  const redis = await startRedis();
  try {
    progress('election: waiting until a fresh Redis elects');
    await untilElectable(redis.url);
    progress(`election: ${UNCONTESTED} uncontested`);
    const uncontested = await elections(redis.url, 1, UNCONTESTED);
    progress(`election: ${CONTESTED} among ${CANDIDATES} candidates`);
    const contested = await elections(redis.url, CANDIDATES, CONTESTED);
    progress(`election: ${REGISTRATIONS} registrations`);
    const registered = await registrations(redis.url, REGISTRATIONS);
    progress('election: what idle processes cost');
    return {
      bench: 'election',
      uncontestedP50Ms: percentile(uncontested, 0.5),
      ...slowEnd('uncontested', uncontested),
      contested50P50Ms: percentile(contested, 0.5),
      ...slowEnd('contested50', contested),
      registerP50Ms: percentile(registered, 0.5),
      ...slowEnd('register', registered),
      ...(await steadyCost(redis.url)),
      runs: UNCONTESTED,
      contestedRuns: CONTESTED,
    };
  } finally {
    await redis.stop();
  }
}
