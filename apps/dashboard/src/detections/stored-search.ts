import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { signal } from '@preact/signals';
import { messageOf } from '../api/api-error.js';
import type { StoredAnswer, StoredQuery } from '../api/cluster-types.js';

/** Detections that each question asks for. */
const PAGE = 48;

/** A search among the detections that the service keeps, part by part. */
export class StoredSearch {
  /** Newest first; null: nothing is found yet. */
  readonly items = signal<readonly DetectionItem[] | null>(null);
  readonly more = signal(false);
  readonly loading = signal(false);
  /** Why the last question failed, as a text for people. */
  readonly problem = signal<string | null>(null);
  private query: StoredQuery = {};
  private cursor: string | null = null;
  private asked = 0;

  constructor(private readonly ask: (query: StoredQuery) => Promise<StoredAnswer>) {}

  /** Begins a search. What an earlier one finds from now on is ignored. */
  begin(query: StoredQuery): Promise<void> {
    this.query = query;
    this.cursor = null;
    return this.load([]);
  }

  /** Forgets what was found. The answer to an open question is ignored. */
  clear(): void {
    this.asked++;
    this.items.value = null;
    this.more.value = false;
    this.loading.value = false;
    this.problem.value = null;
  }

  /** Adds the next older detections. */
  next(): Promise<void> {
    return this.load(this.items.value ?? []);
  }

  private async load(before: readonly DetectionItem[]): Promise<void> {
    const question = ++this.asked;
    this.loading.value = true;
    const cursor = this.cursor === null ? {} : { cursor: this.cursor };
    const outcome = await this.ask({ ...this.query, limit: PAGE, ...cursor }).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ problem: messageOf(error) }),
    );
    if (question !== this.asked) return;
    this.loading.value = false;
    this.problem.value = 'problem' in outcome ? outcome.problem : null;
    if ('problem' in outcome) return;
    const { items, nextCursor } = outcome.answer;
    this.items.value = [...before, ...items];
    this.cursor = nextCursor;
    this.more.value = nextCursor !== null;
  }
}
