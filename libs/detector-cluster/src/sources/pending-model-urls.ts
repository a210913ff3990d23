import type { ApplicationCalls } from '../shared/application-calls.js';
import type { ModelUrlProvider, ModelReference } from './model-url-provider.js';

/** How long a URL that arrived too late for its pass may still be sent. Milliseconds. */
const USABLE = 5_000;
/**
 * Requests model URLs from the application. Callers for one model share a pending call, and its result for a short time, so
 * that a provider that takes longer than a pass is not called repeatedly.
 */
export class PendingModelUrls implements ModelUrlProvider {
  private readonly made = new Map<string, Promise<string>>();

  /** @param timeout milliseconds */
  constructor(
    private readonly provider: ModelUrlProvider,
    private readonly calls: ApplicationCalls,
    private readonly timeout: number,
  ) {}

  urlFor({ modelId, modelName }: ModelReference): Promise<string> {
    const model = JSON.stringify([modelId, modelName]);
    const known = this.made.get(model);
    if (known !== undefined) return known;
    const made = this.calls.run(`modelUrl.urlFor of model ${modelId}`, this.timeout, () =>
      this.provider.urlFor({ modelId, modelName }),
    );
    this.made.set(model, made);
    const forget = () => this.made.delete(model);
    made.then(() => setTimeout(forget, USABLE).unref(), forget);
    return made;
  }
}
