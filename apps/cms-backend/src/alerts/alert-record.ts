import { z } from 'zod';
import { readJson } from '../stores/read-json.js';
import { type ClusterFacts, conditionsOf, COUNT_LIMITS, type Counted, MASTER_ALERTS } from './conditions.js';
import { PROMETHEUS_RULES } from './prometheus-rules.generated.js';

/** How long Alertmanager hears of an alert that is over, as Prometheus does it. Milliseconds. */
const ENDED_KEPT = 15 * 60_000;

/** At most this many notices wait for the webhook; then the oldest are dropped. */
export const MAX_WAITING = 200;

/** Milliseconds since 1970. */
const instant = z.int().nonnegative();
const alert = z.object({
  name: z.enum(MASTER_ALERTS),
  summary: z.string(),
  /** When its condition began to hold. */
  since: instant,
});

/** A condition that holds. It fires once it has held for as long as its rule demands; until then it is pending. */
const held = alert.extend({ workerUrl: z.string().nullable(), fires: z.boolean() });

/** An alert fires, or is over: then it has an end. */
const notice = alert.extend({ endedAt: instant.nullable() });

const attempts = z.object({
  /** The last success. */
  sentAt: instant.nullable(),
  /** The last failure, if no success followed, and its reason. */
  failedAt: instant.nullable(),
  problem: z.string().nullable(),
});

const record = z.object({
  held: z.array(held),
  /** Alerts that fired and are over. */
  ended: z.array(notice),
  /** What the webhook has not taken yet, oldest first. */
  waiting: z.array(notice),
  /** Notices that were dropped. */
  dropped: z.int().nonnegative(),
  counted: z.object({ masters: z.array(instant), moved: z.array(instant), failed: z.array(instant) }),
  /** By the name of each receiver that is configured. */
  receivers: z.partialRecord(z.enum(['alertmanager', 'webhook']), attempts),
});

export type HeldAlert = Readonly<z.infer<typeof held>>;
export type Notice = Readonly<z.infer<typeof notice>>;
export type Attempts = Readonly<z.infer<typeof attempts>>;
export type ReceiverName = keyof z.infer<typeof record>['receivers'];

/** What a master must leave to its successor: since when alerts hold, and what receivers do not know yet. */
export type AlertRecord = Readonly<z.infer<typeof record>>;

export const UNTRIED: Attempts = { sentAt: null, failedAt: null, problem: null };

/** In the slot of the cluster's fence. Below `dashboard:`, to which users with limited rights have access. */
export const alertsKey = (keyPrefix: string) => `${keyPrefix}dashboard:alerts`;

/** Any other text is an empty record: alerts begin again. */
export function readAlertRecord(text: string | null): AlertRecord {
  const empty = { held: [], ended: [], waiting: [], dropped: 0, receivers: {} };
  return readJson(record, text) ?? { ...empty, counted: { masters: [], moved: [], failed: [] } };
}

/** Adds what has just happened, as often as the counts say. */
export function count(
  before: AlertRecord,
  counts: Readonly<Partial<Record<keyof Counted, number>>>,
  now: number,
): AlertRecord {
  const counted = { ...before.counted };
  for (const [name, limit] of Object.entries(COUNT_LIMITS) as [keyof Counted, number][]) {
    const more = Math.min(counts[name] ?? 0, limit + 1);
    if (more > 0) counted[name] = [...counted[name], ...Array<number>(more).fill(now)].slice(-limit - 1);
  }
  return { ...before, counted };
}

/**
 * Follows the conditions: alerts begin, fire and end. What the receivers have to know is in the record before they are asked, so a
 * successor sends it, too.
 * @param receivers those that are configured
 * @param now milliseconds since 1970
 */
export function advance(
  before: AlertRecord,
  facts: ClusterFacts,
  receivers: readonly ReceiverName[],
  now: number,
): AlertRecord {
  const known = new Map(before.held.map((one) => [one.name, one]));
  const held = conditionsOf(facts, before.counted, now).map((condition): HeldAlert => {
    const earlier = known.get(condition.name);
    const since = Math.min(earlier?.since ?? now, now);
    const fires = earlier?.fires === true || now - since >= PROMETHEUS_RULES[condition.name].for;
    return { ...condition, since, fires };
  });
  const begun = held.filter(({ name, fires }) => fires && known.get(name)?.fires !== true);
  const stays = new Set(held.map(({ name }) => name));
  const over = before.held
    .filter(({ name, fires }) => fires && !stays.has(name))
    .map((one): Notice => ({ ...noticeOf(one), endedAt: now }));
  const waiting = receivers.includes('webhook') ? [...before.waiting, ...begun.map(noticeOf), ...over] : [];
  // Alertmanager takes two alerts with the same labels for one.
  const again = new Set([...begun, ...over].map(({ name }) => name));
  const ended = before.ended.filter(({ name, endedAt }) => !again.has(name) && endedAt! > now - ENDED_KEPT);
  return {
    ...before,
    held,
    ended: [...ended, ...over],
    waiting: waiting.slice(-MAX_WAITING),
    dropped: before.dropped + Math.max(0, waiting.length - MAX_WAITING),
    receivers: Object.fromEntries(receivers.map((name) => [name, before.receivers[name] ?? UNTRIED])),
  };
}

export function noticeOf({ name, summary, since }: HeldAlert): Notice {
  return { name, summary, since, endedAt: null };
}

/** The same from every master. */
export function idOf({ name, since, endedAt }: Notice): string {
  return `${name}-${since}-${endedAt === null ? 'firing' : 'resolved'}`;
}
