import { signal } from '@preact/signals';
import { messageOf } from './api-error.js';

/** What the service has answered to a question that can be asked again; the last good answer stays until there is a newer one. */
export class Answer<T> {
  readonly value = signal<T | null>(null);
  /** When it was answered, in milliseconds since 1970; null: not yet. */
  readonly at = signal<number | null>(null);
  /** Why the last question has no answer, for people. */
  readonly problem = signal<string | null>(null);
  readonly loading = signal(false);
  private asked = 0;

  constructor(private readonly ask: () => Promise<T>) {}

  /** Asks; of answers that overtake each other only that to the last question counts. */
  async load(): Promise<void> {
    const question = ++this.asked;
    this.loading.value = true;
    const outcome = await this.ask().then(
      (value) => ({ value }),
      (error: unknown) => ({ problem: messageOf(error) }),
    );
    if (question !== this.asked) return;
    this.loading.value = false;
    this.problem.value = 'problem' in outcome ? outcome.problem : null;
    if ('problem' in outcome) return;
    this.value.value = outcome.value;
    this.at.value = Date.now();
  }
}
