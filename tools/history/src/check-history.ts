import { ClaimCheck } from './claim-check.js';
import { staleCommands, staleWrites } from './fence-check.js';
import type { History } from './history.js';
import type { Accepted, Span } from './history-line.js';
import { longestSilence, totalLength } from './longest-silence.js';
import { judge, judgeFailover, missingOfSent, type Note } from './verdict.js';

/** Allowed duplicates per fault: the entries that a process has in flight. */
const DUPLICATES_PER_FAULT = 64;

/** Longest allowed time without any acceptance, except excused times. Milliseconds. */
const MAX_REFUSED = 3_000;

/** What can be measured in a history. A figure that a scenario promises has a limit, which is 0 unless it is said. */
export interface HistoryFigures {
  readonly accepted: number;
  /** Accepted detections that Redis has not removed or forgotten, and whose callbacks never started. */
  readonly lost: number;
  /** Detections that a worker has made, that Redis never accepted, and that the worker does not count as lost in its full outbox. */
  readonly lostSent: number;
  /** First starts after the first start of a later detection of the same subscription. */
  readonly outOfOrder: number;
  /** Those of `outOfOrder` that Redis accepted before the other one. */
  readonly lateStarts: number;
  /** Those of `outOfOrder` that Redis accepted after it. */
  readonly lateAcceptances: number;
  /** Deliveries of what Redis never accepted. If there are any, the others mean nothing. */
  readonly unaccounted: number;
  /** Detections that Redis removed from full logs. */
  readonly dropped: number;
  /** Accepted detections that Redis still has although their callbacks have returned. */
  readonly unfinished: number;
  /** Starts of callbacks beyond the first for a detection: at most 64 for each fault. */
  readonly duplicates: number;
  /** How often a subscription's next accepted detection came from another worker. */
  readonly moves: number;
  /** Faults that may cause duplicates. */
  readonly faults: number;
  /** Longest time without any acceptance: at most 3,000 ms. */
  readonly maxRefusedMs: number;
  /** Times in which a process had no processor, because the machine was busy. An otherwise idle machine has few. Milliseconds. */
  readonly starvedMs: number;
  /** See {@link ClaimCheck}. Undefined: no process was asked. */
  readonly rivals?: number;
  readonly termsBack?: number;
  /** See {@link staleWrites}. */
  readonly staleWrites: number;
  /** See {@link staleCommands}. */
  readonly staleCommands: number;
}

/** Something that breaks a promise. */
export interface Violation {
  readonly promise: string;
  /** Milliseconds since 1970; null: it has no instant. */
  readonly at: number | null;
  /** The name of the process, or the address of the worker; null: none is known. */
  readonly process: string | null;
  readonly what: string;
}

export interface Findings {
  readonly figures: HistoryFigures;
  /** Names of promises that did not hold. */
  readonly broken: readonly string[];
  /** Of the broken promises, in the order of their instants. */
  readonly violations: readonly Violation[];
}

/** The first violations of each promise. */
export function firstOfEach(violations: readonly Violation[], most: number): Violation[] {
  const counts = new Map<string, number>();
  return violations.filter(({ promise }) => {
    const count = (counts.get(promise) ?? 0) + 1;
    counts.set(promise, count);
    return count <= most;
  });
}

/** What a figure may be at most. */
const limitOf = (name: string, { faults }: HistoryFigures): number => {
  if (name === 'duplicates') return DUPLICATES_PER_FAULT * faults;
  return name === 'maxRefusedMs' ? MAX_REFUSED : 0;
};

/** Names the promises that did not hold. */
export function brokenPromises(figures: HistoryFigures, promises: readonly string[]): string[] {
  return promises.filter((name) => {
    const value = figures[name as keyof HistoryFigures];
    if (value === undefined) throw new TypeError(`history.promises: there is no figure ${name}`);
    return value > limitOf(name, figures);
  });
}

/** Judges a history by what its first line promises. Chaos judges its runs with this function. */
export function checkHistory(history: History): Findings {
  const all: Violation[] = [];
  const figures = measure(history, all);
  const broken = brokenPromises(figures, history.header!.promises);
  if (history.end === undefined) broken.unshift('end');
  const found = all.filter(({ promise }) => broken.includes(promise));
  const without = broken.filter((name) => !found.some(({ promise }) => promise === name));
  const violations = [
    ...found.sort((a, b) => (a.at ?? 0) - (b.at ?? 0)),
    ...without.map((promise) => ({ promise, at: null, process: null, what: describe(promise, figures) })),
  ];
  return { figures, broken, violations };
}

function describe(promise: string, figures: HistoryFigures): string {
  if (promise === 'end') return 'the run was interrupted, so detections may be missing';
  const value = figures[promise as keyof HistoryFigures];
  return `${promise} is ${value}, and may be ${limitOf(promise, figures)}`;
}

function measure(history: History, found: Violation[]): HistoryFigures {
  const { accepted, deliveries, dropped, finished, forgotten, header } = history;
  const nameOf = (pid: number) => processName(history, pid);
  const note: Note = (promise, id, delivery) =>
    found.push({
      promise,
      at: delivery?.at ?? accepted.get(id)?.at ?? null,
      process: delivery === undefined ? null : nameOf(delivery.process),
      what: `detection ${id}${delivery === undefined ? '' : ` of ${delivery.subscriptionIdentifier}`}`,
    });
  const counted = [...accepted.keys()].filter((id) => !forgotten.has(id));
  const starved = history.starved.map(({ at, ms }) => ({ from: at - ms, to: at }));
  const claims = checkClaims(history, found);
  const writes = staleWrites(history.fenced);
  for (const { at, process, term } of writes)
    found.push({ promise: 'staleWrites', at, process: nameOf(process), what: `a write of term ${term}` });
  const commands = staleCommands(history.commands);
  for (const { at, term, type, worker } of commands)
    found.push({ promise: 'staleCommands', at, process: worker, what: `${type} of term ${term}` });
  const common = {
    accepted: accepted.size,
    dropped: dropped.size,
    faults: history.end?.faults ?? 0,
    starvedMs: Math.round(totalLength(starved)),
    ...claims,
    staleWrites: writes.length,
    staleCommands: commands.length,
  };
  if (header!.acceptance !== 'redis') {
    const isJudged = header!.acceptance === 'masters';
    const verdict = judgeFailover(isJudged ? counted : [], isJudged ? deliveries : [], note);
    const starts = [...deliveries].sort((a, b) => a.startedAt - b.startedAt);
    return {
      ...common,
      ...verdict,
      lateStarts: 0,
      lateAcceptances: 0,
      unaccounted: 0,
      unfinished: 0,
      moves: 0,
      lostSent: lostSent(
        history,
        starts.map(({ at, detectionId: id }) => ({ at, id })),
        verdict.lost,
        found,
      ),
      maxRefusedMs: longestRefusal(history, starved, found),
    };
  }
  const verdict = judge({ accepted: counted, deliveries, dropped }, note);
  return {
    ...common,
    ...verdict,
    outOfOrder: verdict.lateStarts + verdict.lateAcceptances,
    lostSent: lostSent(history, accepted.values(), verdict.lost, found),
    unfinished: counted.filter((id) => !finished.has(id) && !dropped.has(id)).length,
    maxRefusedMs: longestRefusal(history, starved, found),
  };
}

/** @param accepted in the order of acceptance */
function lostSent(
  { deliveries, held, sent }: History,
  accepted: Iterable<Pick<Accepted, 'id' | 'at'>>,
  lost: number,
  found: Violation[],
): number {
  let count = -lost;
  for (const missing of missingOfSent({ accepted, deliveries, held, sent })) {
    const { after, first, last, subscriptionIdentifier, workerUrl } = missing;
    count += last - first + 1;
    found.push({
      promise: 'lostSent',
      at: after,
      process: workerUrl,
      what: `its detections ${first} to ${last} of ${subscriptionIdentifier}`,
    });
  }
  return Math.max(0, count);
}

function longestRefusal(
  { accepted, excused, sending }: History,
  starved: readonly Span[],
  found: Violation[],
): number {
  if (sending === undefined) return 0;
  const instants = Array.from(accepted.values(), ({ at }) => at).sort((a, b) => a - b);
  const { from, ms, to } = longestSilence(instants, sending, [...excused, ...starved]);
  if (ms > MAX_REFUSED)
    found.push({
      promise: 'maxRefusedMs',
      at: from,
      process: null,
      what: `nothing was accepted for ${Math.round(to - from)} ms, ${Math.round(ms)} ms of it without an excuse`,
    });
  return Math.round(ms);
}

function checkClaims({ claims }: History, found: Violation[]): Pick<HistoryFigures, 'rivals' | 'termsBack'> {
  if (claims.length === 0) return {};
  const check = new ClaimCheck();
  for (const claim of claims) {
    const { rivals, termsBack } = check;
    check.note(claim);
    const { at, process, term } = claim;
    if (check.rivals > rivals)
      found.push({
        promise: 'rivals',
        at,
        process,
        what: `it is master in term ${term}, and another one is`,
      });
    if (check.termsBack > termsBack)
      found.push({ promise: 'termsBack', at, process, what: `term ${term} follows a higher one` });
  }
  return { rivals: check.rivals, termsBack: check.termsBack };
}

/** The name of a process of the operating system; its id if it has not said its name. */
export function processName({ processes }: History, pid: number): string {
  return processes.findLast((each) => each.pid === pid)?.name ?? `process ${pid}`;
}
