import { InvalidInputError } from '@detector-cluster/placement/internal';
import type { ModelUrlProvider, ModelReference } from './model-url-provider.js';
import { httpUrlProblem } from './stream-fields.js';

/**
 * Model URLs under one fixed address. `base` is either a folder (`http://files/models` gives `http://files/models/<name>.mpta`)
 * or a template with `{id}` and `{name}` (`http://files/get?model={id}`). Throws `InvalidInputError` when it is no http(s) URL.
 */
export class StaticModelUrlProvider implements ModelUrlProvider {
  private readonly template: string;

  constructor(base: string) {
    const problem = httpUrlProblem(
      typeof base === 'string' ? base.replaceAll(/\{(?:id|name)\}/g, '0') : base,
    );
    if (problem !== null) throw new InvalidInputError('modelBaseUrl', problem);
    this.template = /\{(?:id|name)\}/.test(base) ? base : `${base.replace(/\/+$/, '')}/{name}.mpta`;
  }

  async urlFor(model: ModelReference): Promise<string> {
    const values = { id: String(model.modelId), name: model.modelName };
    return this.template.replaceAll(/\{(id|name)\}/g, (_, key: 'id' | 'name') =>
      encodeURIComponent(values[key]),
    );
  }
}
