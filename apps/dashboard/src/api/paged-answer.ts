import { signal } from '@preact/signals';
import { messageOf } from './api-error.js';

/** A part of a list of the service. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

type PageQuery<Query> = Query & { readonly cursor?: string };

/** A list of the service, read page by page. */
export class PagedAnswer<Query extends object, T> {
  /** In the order of the pages; null: nothing has been read yet. */
  readonly items = signal<readonly T[] | null>(null);
  readonly more = signal(false);
  readonly loading = signal(false);
  /** Why the last question failed, as a text for people. */
  readonly problem = signal<string | null>(null);
  private query: Query | null = null;
  private cursor: string | null = null;
  private asked = 0;

  constructor(private readonly ask: (query: PageQuery<Query>) => Promise<Page<T>>) {}

  /** Begins a list. The items of an earlier one stay until the first page arrives; later pages of it are ignored. */
  begin(query: Query): Promise<void> {
    this.query = query;
    this.cursor = null;
    return this.load(query, []);
  }

  /** Forgets what was read. The answer to an open question is ignored. */
  clear(): void {
    this.asked++;
    this.items.value = null;
    this.more.value = false;
    this.loading.value = false;
    this.problem.value = null;
  }

  /** Adds the next page. */
  async next(): Promise<void> {
    if (this.query !== null) await this.load(this.query, this.items.value ?? []);
  }

  private async load(query: Query, before: readonly T[]): Promise<void> {
    const question = ++this.asked;
    this.loading.value = true;
    const cursor = this.cursor === null ? {} : { cursor: this.cursor };
    const outcome = await this.ask({ ...query, ...cursor }).then(
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
