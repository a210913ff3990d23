import type { Delivery, HistoryHeader, HistoryLine } from './history-line.js';

const BEGIN = 1_764_000_000_000;
const [WORKER, OTHER] = ['ws://127.0.0.1:8001', 'ws://127.0.0.1:8002'];

/** All that a run can promise. */
export const ALL_PROMISES = [
  'lost',
  'lostSent',
  'dropped',
  'lateStarts',
  'lateAcceptances',
  'unaccounted',
  'unfinished',
  'duplicates',
  'maxRefusedMs',
  'rivals',
  'termsBack',
  'staleWrites',
  'staleCommands',
];

export const at = (ms: number) => BEGIN + ms;

/** Milliseconds → CLOCK_MONOTONIC. */
const clock = (ms: number) => ms * 1_000_000;

/** The `n`th detection of a subscription, one each 100 ms. */
export function delivery(n: number, more: Partial<Delivery> = {}): Delivery {
  const isFirst = n % 2 === 0;
  return {
    process: n < 50 ? 101 : 102,
    detectionId: `1-1-${n}`,
    subscriptionIdentifier: isFirst ? 'd1;c1' : 'd2;c2',
    workerUrl: isFirst ? WORKER : OTHER,
    sequence: Math.floor(n / 2) + 1,
    takenAt: at(n * 100),
    at: at(n * 100 + 5),
    startedAt: clock(n * 100 + 5),
    ...more,
  };
}

/** Ten seconds: a master is killed after five, and another process follows. Every promise holds. */
export function goodHistory(header: Partial<HistoryHeader> = {}): HistoryLine[] {
  const detections = Array.from({ length: 100 }, (_, n) => n);
  const fenced = (process: number, term: number, ms: number, accepted = true): HistoryLine => ({
    fenced: { process, term, accepted, from: clock(ms), to: clock(ms + 2), at: at(ms + 2) },
  });
  const command = (worker: string, term: number, ms: number): HistoryLine => ({
    command: { worker, process: 201, type: 'subscribe', term, fencing: true, at: at(ms) },
  });
  const claims = Array.from({ length: 50 }, (_, i) => i * 200).flatMap((ms): HistoryLine[] => [
    { claim: { process: 'backend-1', term: ms < 5_000 ? 7 : null, at: at(ms) } },
    { claim: { process: 'backend-2', term: ms < 5_800 ? null : 9, at: at(ms + 50) } },
  ]);
  return [
    {
      history: {
        version: 1,
        scenario: 'delivery',
        seed: 1,
        acceptance: 'redis',
        promises: ALL_PROMISES,
        ...header,
      },
    },
    { process: { pid: 101, name: 'backend-1', at: at(0) } },
    { process: { pid: 102, name: 'backend-2', at: at(10) } },
    ...detections.flatMap((n): HistoryLine[] => [
      { accepted: { id: `1-1-${n}`, at: at(n * 100 + 2) } },
      { delivery: delivery(n) },
      { finished: `1-1-${n}` },
    ]),
    ...claims,
    fenced(101, 7, 100),
    fenced(101, 7, 4_000),
    fenced(102, 9, 6_000),
    fenced(101, 7, 6_500, false),
    command('worker-1', 7, 200),
    command('worker-1', 9, 6_100),
    { fault: { what: 'kill backend-1 (master)', at: at(5_000) } },
    { stall: { process: 102, at: at(5_600), ms: 300, waited: 280 } },
    { starved: { process: 102, at: at(1_900), ms: 1_000 } },
    { sent: { workerUrl: WORKER, sequences: { 'd1;c1': 50 }, dropped: {} } },
    { sent: { workerUrl: OTHER, sequences: { 'd2;c2': 50 }, dropped: {} } },
    { sending: { from: at(0), to: at(10_000) } },
    { end: { at: at(10_500), faults: 1 } },
  ];
}
