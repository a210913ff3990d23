import type {
  ClusterHistory,
  DetectionItem,
  EventItem,
  HistoryRange,
} from '@detector-cluster/dashboard-protocol';
import { apiKey } from '../feed/page-memory.js';
import { ApiClient, withQuery } from './api-client.js';
import type { ListQuery, Page } from './paged-answer.js';
import type {
  AcceptedAnswer,
  AuditEntry,
  DeadLetter,
  DetectionStatsAnswer,
  DrainForecast,
  ExplanationAnswer,
  LettersAnswer,
  PlanAnswer,
} from './cluster-types.js';

export const client = new ApiClient({
  fetch: (path, init) => fetch(path, init),
  apiKey: () => apiKey.value,
});

/** The lists that the service exports. */
export type ExportedList = 'audit' | 'detections' | 'events' | 'subscriptions';

const BASE = '/api/cluster';

const workerPath = (url: string): string => `${BASE}/workers/${encodeURIComponent(url)}`;

/** The calls of the service's HTTP API. Every failure is an `ApiError`. */
export const clusterApi = {
  drain: (url: string) => client.post<AcceptedAnswer>(`${workerPath(url)}/drain`),
  drainForecast: (url: string) => client.get<DrainForecast>(`${workerPath(url)}/drain`),
  cordon: (url: string) => client.post<AcceptedAnswer>(`${workerPath(url)}/cordon`),
  uncordon: (url: string) => client.post<AcceptedAnswer>(`${workerPath(url)}/uncordon`),
  rebalance: () => client.post<AcceptedAnswer>(`${BASE}/rebalance`),
  setModelVersion: (modelId: number, version: string) =>
    client.put<AcceptedAnswer>(`${BASE}/models/${modelId}/version`, { version }),
  regenerate: () => client.post<AcceptedAnswer>(`${BASE}/regenerate`),
  /** Only the master of this term resigns: 409 means that another term has begun. */
  resign: (term: number) => client.post(`${BASE}/master/resign`, { term }),
  plan: (rebalance: boolean) => client.get<PlanAnswer>(withQuery(`${BASE}/plan`, { rebalance })),
  explain: (subscriptionIdentifier: string) =>
    client.get<ExplanationAnswer>(
      `${BASE}/subscriptions/${encodeURIComponent(subscriptionIdentifier)}/explain`,
    ),
  picture: (path: string, signal: AbortSignal) => client.picture(path, signal),
  history: (range: HistoryRange) => client.get<ClusterHistory>(withQuery(`${BASE}/history`, { range })),
  events: (query: ListQuery) => client.get<Page<EventItem>>(withQuery(`${BASE}/events`, query)),
  audit: (query: ListQuery) => client.get<Page<AuditEntry>>(withQuery('/api/audit', query)),
  storedDetections: (query: ListQuery) =>
    client.get<Page<DetectionItem>>(withQuery('/api/detections', query)),
  detectionStats: () => client.get<DetectionStatsAnswer>('/api/detections/stats'),
  exported: (list: ExportedList, query: object) => client.file(withQuery(`/api/export/${list}`, query)),
  deadLetters: (query: ListQuery) => client.get<Page<DeadLetter>>(withQuery(`${BASE}/dead-letters`, query)),
  replay: (ids: readonly string[] | 'all') =>
    client.post<LettersAnswer>(`${BASE}/dead-letters/replay`, { ids }),
  drop: (ids: readonly string[] | 'all') => client.post<LettersAnswer>(`${BASE}/dead-letters/drop`, { ids }),
};
