import { signal, type Signal } from '@preact/signals';
import { messageOf } from './api-error.js';

/** The service's answer to a question that can be asked again. The last good answer stays until a newer one arrives. */
export class Answer<T> {
  readonly value: Signal<T | null>;
  /** Time of the answer, in milliseconds since 1970; null: none yet. */
  readonly at = signal<number | null>(null);
  /** Why the last question failed, as a text for people. */
  readonly problem = signal<string | null>(null);
  readonly loading = signal(false);
  private asked = 0;

  /** @param before what is shown until the first answer arrives */
  constructor(
    private readonly ask: () => Promise<T>,
    before: T | null = null,
  ) {
    this.value = signal(before);
  }

  /** Asks. If several questions are in flight, only the answer to the last one counts. */
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
