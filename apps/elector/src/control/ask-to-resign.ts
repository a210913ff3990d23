import { setTimeout as sleep } from 'node:timers/promises';
import type { ElectionControl } from '@detector-cluster/election';

/** How often to check whether it has resigned. Milliseconds. */
const LOOK = 200;

/**
 * Asks the leader to resign and waits until it has: its end command runs first. Returns the exit code: 1 if there is no leader, or
 * if it does not resign within `timeout` ms.
 */
export async function askToResign(
  control: ElectionControl,
  timeout: number,
  json: boolean,
  print: (line: string) => void,
): Promise<number> {
  const leader = await control.leader();
  const say = (text: string, fields: object) => print(json ? JSON.stringify(fields) : text);
  if (!leader) {
    say('no leader', { resigned: null });
    return 1;
  }
  const { leaderId, term } = leader;
  await control.requestResign(term);
  for (const deadline = performance.now() + timeout; performance.now() < deadline; await sleep(LOOK)) {
    if ((await control.leader())?.term === term) continue;
    say(`${leaderId} has resigned from term ${term}`, { resigned: leaderId, term });
    return 0;
  }
  say(
    `${leaderId} did not resign from term ${term} within ${timeout / 1_000} s: only an elector listens to this`,
    {
      resigned: null,
      leaderId,
      term,
    },
  );
  return 1;
}
