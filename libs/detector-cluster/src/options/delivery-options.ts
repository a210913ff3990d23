import type { RouterOptions } from '../delivery/send/router-context.js';

/** The options of `DetectorClusterModule` that concern delivery; the same in every process. */
export interface DeliveryOptions {
  /**
   * What happens when a partition is full: it holds at most 10,000 unfinished detections or 4 MiB. `drop-oldest` drops its oldest
   * detections, although they had been accepted: pictures of now matter more than those of a minute ago. `refuse-new` accepts no
   * new ones, and never drops what was accepted; then the newest detections are lost. Both are counted. Default `drop-oldest`.
   */
  readonly overflow?: 'drop-oldest' | 'refuse-new';
  /**
   * Into how many partitions subscriptions are divided: at most so many processes can share the work. More partitions spread it
   * more evenly; on a Redis Cluster each costs calls and a connection of its own. From 1 to 1,024. The first master stores the
   * number; another value takes effect when all partitions are empty. Default 32.
   */
  readonly partitions?: number;
  /**
   * Accepts a detection only when `replicas` replicas of Redis have it (`WAIT`), so that a failover of Redis loses nothing that was
   * accepted. Each batch waits for them, up to `timeout` ms before it is tried again; while fewer replicas are there, nothing is
   * accepted and detections wait in the master's buffer. Default none: Redis replicates later.
   */
  readonly acceptance?: { readonly replicas: number; readonly timeout: number };
}

const MOST_PARTITIONS = 1_024;
const MOST_TIMEOUT = 10_000;

/** Adds to `problems`, by name, what is wrong. */
export function resolveDeliveryOptions(raw: DeliveryOptions, problems: string[]): Partial<RouterOptions> {
  const { acceptance, overflow = 'drop-oldest', partitions = 32 } = raw;
  if (overflow !== 'drop-oldest' && overflow !== 'refuse-new')
    problems.push(`overflow: must be "drop-oldest" or "refuse-new", got ${JSON.stringify(overflow)}`);
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > MOST_PARTITIONS)
    problems.push(
      `partitions: must be a whole number from 1 to ${MOST_PARTITIONS}, got ${String(partitions)}`,
    );
  if (acceptance !== undefined) {
    const { replicas, timeout } = (acceptance ?? {}) as Partial<NonNullable<DeliveryOptions['acceptance']>>;
    if (!Number.isInteger(replicas) || replicas! < 1)
      problems.push(`acceptance.replicas: must be a whole number from 1 on, got ${String(replicas)}`);
    if (!Number.isInteger(timeout) || timeout! < 1 || timeout! > MOST_TIMEOUT)
      problems.push(
        `acceptance.timeout: must be a whole number of milliseconds from 1 to ${MOST_TIMEOUT}, got ${String(timeout)}`,
      );
  }
  return { overflow, partitions, acceptance: acceptance ?? null };
}
