import type { Redis } from 'ioredis';
import type { PresenceCount } from '../lease/redis-lease-store.js';

/** How long a server gets to see a presence that has just been made. Milliseconds. */
const FIRST_CHECK = 250;

/** A server that never sees it, behind a proxy for example, is asked less and less often, at the latest after this time. Milliseconds. */
const LAST_CHECK = 30_000;

interface CheckedPresence {
  readonly listening: boolean;
  /** The channel of this life of the process. */
  readonly channel: string;
  /** Connects again. */
  redial(): void;
}

/**
 * Checks that the server that receives the commands sees the presence of this process. After a failover by DNS or `REPLICAOF`, the
 * demoted server refuses commands, so the command connection finds the new server. A connection that only listens gets no refusal
 * and stays on the demoted server, where no process looks for presence.
 *
 * Checks each time `commands` has connected, and dials the presence connection again until the server sees it.
 *
 * @param count The subcommand of `PUBSUB` that counts the listeners.
 * @returns a function that ends the checks
 */
export function checkPresence(
  presence: CheckedPresence,
  commands: Redis,
  count: Exclude<PresenceCount, ''>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  const checkIn = (delay: number) => {
    stop();
    timer = setTimeout(() => void check(delay), delay).unref();
  };
  const check = async (delay: number) => {
    // Not connected, the next connection is checked.
    if (commands.status !== 'ready') return;
    const next = Math.min(2 * delay, LAST_CHECK);
    if (!presence.listening) return checkIn(next);
    const { channel } = presence;
    const seen = await commands.call('PUBSUB', count, channel).then(
      (reply) => Number((reply as unknown[])[1]) > 0,
      // Not allowed to know, or no answer: then the connection is made again.
      () => true,
    );
    if (seen) return;
    presence.redial();
    checkIn(next);
  };
  const begin = () => checkIn(FIRST_CHECK);
  commands.on('ready', begin).on('close', stop).on('end', stop);
  if (commands.status === 'ready') begin();
  return () => {
    stop();
    commands.off('ready', begin).off('close', stop).off('end', stop);
  };
}
