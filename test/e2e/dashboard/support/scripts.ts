import type { HistoryRange } from '@detector-cluster/dashboard-protocol';
import type { DeadLetter } from '../../../../apps/dashboard/src/api/cluster-types.js';
import { HOSTILE_TEXTS } from './hostile-texts.js';
import { backend, keyed, model, recorded, subscription, worker } from './rows.js';
import { historyOf, type Script } from './scripted-service.js';

/** When the scripts were made. ISO 8601. */
export const at = new Date().toISOString();

/** Each text in each place where a cluster, or who writes to its stores, could put it. */
export function hostileScript(): Script {
  const texts = HOSTILE_TEXTS;
  const detections = texts.map((text, index) => ({
    detectionId: `${text}${index}`,
    subscriptionIdentifier: `${text};${text}`,
    workerUrl: `ws://w/${text}`,
    processId: text,
    receivedAt: at,
    redelivered: true,
    detectedAt: text,
    label: text,
    confidence: 0.914,
    boxes: [[0.1, 0.1, 0.5, 0.5] as const],
    pictureId: text,
    summary: JSON.stringify({ detection: { licensePlateText: text } }),
  }));
  return {
    view: {
      workers: keyed(
        texts.map((text) => worker(`ws://w/${text}`, { models: [...texts], connectedAt: text })),
        ({ url }) => url,
      ),
      processes: keyed(
        texts.map((text) => backend(text, { role: 'master', partitions: [0, 1, 5], startedAt: text })),
        ({ processId }) => processId,
      ),
      subscriptions: keyed(
        texts.map((text) => ({
          ...subscription(`${text};${text}`, `ws://w/${text}`),
          reason: text,
          model: text,
          version: text,
        })),
        ({ subscriptionIdentifier }) => subscriptionIdentifier,
      ),
      skipped: keyed(
        texts.map((text) => ({ displayId: text, reason: text, detail: text })),
        ({ displayId }) => displayId,
      ),
      models: keyed(
        texts.map((text) =>
          model(text, { current: text, former: `${text}-1`, candidate: `${text}+1`, share: 10 }),
        ),
        ({ modelName }) => modelName,
      ),
      rebalances: { [at]: { by: texts[0]!, since: at, moved: 1, left: 1, endedAt: null } },
      sources: { database: { name: 'database', ok: false, since: at, problem: texts[0] } },
    },
    events: texts.flatMap((text, index) => [
      { eventId: `${index}-0`, type: text, at, term: 1, [text]: text },
      { eventId: `${index}-1`, type: 'camera-moved', at, term: 1, cameraId: text, from: text, to: text },
    ]),
    detections,
    answers: {
      '/api/cluster/history': ({ range }: { range: HistoryRange }) =>
        historyOf(range, texts, [recorded(texts.map(() => 50)), recorded(texts.map(() => 60))]),
      '/api/detections': {
        items: detections,
        nextCursor: null,
      },
      '/api/detections/stats': { history: { stored: 1, dropped: 1_234, waiting: 0 } },
      '/api/audit': {
        nextCursor: null,
        items: texts.map((text, index) => ({
          entryId: String(index),
          at,
          by: text,
          address: text,
          processId: text,
          action: text,
          target: text,
          status: index % 2 === 0 ? 200 : 403,
          problem: index % 2 === 0 ? null : text,
          before: { [text]: text },
          after: text,
        })),
      },
      '/api/cluster/dead-letters': {
        nextCursor: null,
        items: texts.map((text, index) => ({
          letterId: `1-${index}-0`,
          detectionId: text,
          workerUrl: text,
          subscriptionIdentifier: text,
          frame: text,
          audience: text as DeadLetter['audience'],
          error: text,
          attempts: 1,
          failedAt: at,
          processId: text,
        })),
      },
    },
  };
}

/** A plan with these actions and nothing else. */
export const planOf = (actions: readonly object[]) => ({
  term: 1,
  actions,
  held: [],
  moves: [],
  unplaced: [],
  scores: [],
  balance: { deviation: 0, spread: 0, allocationSpread: 0, rebalancing: true },
  frozen: false,
  capacity: {
    wantedWorkers: 1,
    openWorkers: 2,
    unplacedUnits: 0,
    unplacedLoad: 0,
    headroom: 7,
    models: [{ model: 'Cars', headroom: 7 }],
    emptiestWorker: null,
  },
  omitted: { actions: 0, held: 0, unplaced: 0, moves: 0 },
});

/** A detection with this label, received this many milliseconds ago. */
export const labelled = (label: string, age: number, subscriptionIdentifier = 'display;camera') => ({
  ...hostileScript().detections![0]!,
  detectionId: label,
  subscriptionIdentifier,
  receivedAt: new Date(Date.now() - age).toISOString(),
  label,
});
