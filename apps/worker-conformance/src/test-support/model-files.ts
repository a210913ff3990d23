import type { SubscribePayload } from '@detector-cluster/worker-protocol';
import type { Defect } from './defects.js';

interface File {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly reason?: string;
}

/** The files of models that a model worker has. */
export class ModelFiles {
  private readonly files = new Map<string, File>();
  private readonly stopped = new AbortController();

  constructor(private readonly has: (defect: Defect) => boolean) {}

  need(subscription: SubscribePayload): void {
    const key = this.keyOf(subscription);
    const known = this.files.get(key);
    const again =
      this.has('downloads-again') || (known?.state === 'failed' && !this.has('never-tries-again'));
    if (this.has('no-files') || (known !== undefined && !again)) return;
    this.files.set(key, { state: this.has('ready-at-once') ? 'ready' : 'loading' });
    this.download(subscription.modelUrl).then(
      () => this.files.set(key, { state: 'ready' }),
      () => {
        const reason = this.has('reason-with-url') ? `cannot get ${subscription.modelUrl}` : 'no file';
        this.files.set(key, this.has('failed-is-ready') ? { state: 'ready' } : { state: 'failed', reason });
        if (this.has('failed-without-reason')) this.files.set(key, { state: 'failed' });
      },
    );
  }

  stateOf(subscription: SubscribePayload): { modelState?: string; reason?: string | undefined } {
    const file = this.files.get(this.keyOf(subscription));
    return file === undefined || this.has('no-model-state')
      ? {}
      : { modelState: file.state, reason: file.reason };
  }

  stop(): void {
    this.stopped.abort();
  }

  private keyOf({ modelId, modelVersion, subscriptionIdentifier }: SubscribePayload): string {
    if (this.has('file-per-subscription')) return subscriptionIdentifier;
    return this.has('ignores-version') ? String(modelId) : JSON.stringify([modelId, modelVersion]);
  }

  private async download(url: string): Promise<void> {
    const redirect = this.has('follows-redirects') ? 'follow' : 'manual';
    const response = await fetch(url, { redirect, signal: this.stopped.signal });
    if (response.status !== 200) throw new Error('no file');
    try {
      await response.arrayBuffer();
    } catch (error) {
      if (!this.has('takes-cut-files')) throw error;
    }
  }
}
