import { signal } from '@preact/signals';
import { messageOf } from './api-error.js';

/** A part of a list of the service. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** Which part of a list. A filter that is left out or empty: any. Each list has some of them. */
export interface ListQuery {
  /** Words, or a part of a text. */
  readonly text?: string;
  readonly action?: string;
  readonly camera?: string;
  readonly label?: string;
  /** Types, separated by commas. */
  readonly type?: string;
  /** URL. */
  readonly worker?: string;
  /** ISO 8601. */
  readonly from?: string;
  readonly to?: string;
  /** Name of a field; with `-` before it: descending. */
  readonly sort?: string;
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

/** A list of the service, read page by page. */
export class PagedAnswer<T> {
  /** In the order of the pages; null: nothing has been read yet. */
  readonly items = signal<readonly T[] | null>(null);
  readonly more = signal(false);
  readonly loading = signal(false);
  /** Why the last question failed, as a text for people. */
  readonly problem = signal<string | null>(null);
  private query: ListQuery | null = null;
  /** Of the next page; undefined: of the first one, null: there is none. */
  private cursor: string | null | undefined;
  private asked = 0;

  constructor(private readonly ask: (query: ListQuery) => Promise<Page<T>>) {}

  /** Begins a list. The items of an earlier one stay until the first page arrives; later pages of it are ignored. */
  begin(query: ListQuery): Promise<void> {
    this.query = query;
    this.cursor = undefined;
    return this.load(query);
  }

  /** Forgets what was read. The answer to an open question is ignored. */
  clear(): void {
    this.asked++;
    this.items.value = null;
    this.more.value = false;
    this.loading.value = false;
    this.problem.value = null;
  }

  /** Adds the next page, unless there is none or one is on its way. Asks again if the last question failed. */
  async next(): Promise<void> {
    if (this.query !== null && this.cursor !== null && !this.loading.peek()) await this.load(this.query);
  }

  private async load(query: ListQuery): Promise<void> {
    const question = ++this.asked;
    this.loading.value = true;
    const cursor = this.cursor ?? undefined;
    const outcome = await this.ask({ ...query, cursor }).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ problem: messageOf(error) }),
    );
    if (question !== this.asked) return;
    this.loading.value = false;
    this.problem.value = 'problem' in outcome ? outcome.problem : null;
    if ('problem' in outcome) return;
    const { items, nextCursor } = outcome.answer;
    this.items.value = cursor === undefined ? items : [...(this.items.peek() ?? []), ...items];
    this.cursor = nextCursor;
    this.more.value = nextCursor !== null;
  }
}
