import type { ModelReference, ModelUrlProvider } from '@detector-cluster/detector-cluster';

/** URLs of the form `<base>/<key>`. */
export class BaseUrlProvider implements ModelUrlProvider {
  private readonly base: string;

  /** @param keyOf may query the database. If it rejects, the sender logs the error and retries. */
  constructor(
    base: string,
    private readonly keyOf: (modelId: number) => Promise<string>,
  ) {
    this.base = base.replace(/\/+$/, '');
  }

  async urlFor({ modelId }: ModelReference): Promise<string> {
    const key = (await this.keyOf(modelId)).split('/').map(encodeURIComponent).join('/');
    return `${this.base}/${key.replace(/^\/+/, '')}`;
  }
}
