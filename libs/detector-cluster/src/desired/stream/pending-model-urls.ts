import type { ApplicationCalls } from '../../util/application-calls.js';
import type { ModelReference, ModelUrlProvider } from './model-url-provider.js';

/** How long a URL that was made too late for its pass may be sent. Milliseconds. */
const USABLE = 5_000;

/**
 * Asks the application for model URLs. Callers of one model share a call while it is pending, and its answer for a short time, so that
 * a provider that takes longer than a pass is not asked again and again.
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
