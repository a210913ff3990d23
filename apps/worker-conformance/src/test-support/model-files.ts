import { createHash } from 'node:crypto';
import type { SubscribePayload } from '@detector-cluster/worker-protocol';
import type { Defect } from './defects.js';

interface File extends Pick<SubscribePayload, 'modelId' | 'modelVersion'> {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly reason: string | undefined;
}

/** The files of models that a model worker has. */
export class ModelFiles {
  private readonly files = new Map<string, File>();
  private readonly stopped = new AbortController();

  constructor(private readonly has: (defect: Defect) => boolean) {}

  need(subscription: SubscribePayload): void {
    const { modelId, modelVersion, modelUrl } = subscription;
    const key = this.keyOf(subscription);
    const known = this.files.get(key);
    const again =
      this.has('downloads-again') || (known?.state === 'failed' && !this.has('never-tries-again'));
    if (this.has('no-files') || (known !== undefined && !again)) return;
    const set = (state: File['state'], reason?: string) =>
      this.files.set(key, { modelId, modelVersion, state, reason });
    set(this.has('ready-at-once') ? 'ready' : 'loading');
    this.download(subscription).then(
      () => set('ready'),
      () => {
        const reason = this.has('reason-with-url') ? `cannot get ${modelUrl}` : 'no file';
        set(this.has('failed-is-ready') ? 'ready' : 'failed', reason);
        if (this.has('failed-without-reason')) set('failed');
      },
    );
  }

  stateOf(subscription: SubscribePayload): { modelState?: string; reason?: string | undefined } {
    const file = this.files.get(this.keyOf(subscription));
    return file === undefined || this.has('no-model-state')
      ? {}
      : { modelState: file.state, reason: file.reason };
  }

  /** Undefined: it does not tell. */
  loaded(): object[] | undefined {
    if (this.has('no-loaded-models')) return undefined;
    const isLoaded = ({ state }: File) => state === 'ready' || this.has('loaded-at-once');
    const ready = this.has('never-loaded') ? [] : [...this.files.values()].filter(isLoaded);
    const models = ready.map(({ modelId, modelVersion }) => ({ modelId, modelVersion }));
    return this.has('loaded-twice') ? [...models, ...models] : models;
  }

  stop(): void {
    this.stopped.abort();
  }

  private keyOf({ modelId, modelVersion, subscriptionIdentifier }: SubscribePayload): string {
    if (this.has('file-per-subscription')) return subscriptionIdentifier;
    return this.has('ignores-version') ? String(modelId) : JSON.stringify([modelId, modelVersion]);
  }

  private async download({ modelSha256, modelSize, modelUrl }: SubscribePayload): Promise<void> {
    const redirect = this.has('follows-redirects') ? 'follow' : 'manual';
    const response = await fetch(modelUrl, { redirect, signal: this.stopped.signal });
    if (response.status !== 200) throw new Error('no file');
    const content = await response.arrayBuffer().catch((error: Error) => {
      if (!this.has('takes-cut-files')) throw error;
      return new ArrayBuffer();
    });
    const file = Buffer.from(content);
    const sha256 = createHash('sha256').update(file).digest('hex');
    if (!this.has('ignores-size') && file.length !== (modelSize ?? file.length)) throw new Error('size');
    if (!this.has('ignores-sha256') && sha256 !== (modelSha256 ?? sha256)) throw new Error('sha256');
  }
}
