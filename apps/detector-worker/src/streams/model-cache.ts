import { signalWithin } from '@detector-cluster/election/internal';
import type { SubscribePayload } from '@detector-cluster/worker-protocol';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { WORKER_OPTIONS, type WorkerOptions } from '../worker-options.js';

type ModelOf = Pick<SubscribePayload, 'modelId' | 'modelVersion'>;

/** What became of one version of a model's file. */
export interface CachedModel {
  readonly modelId: number;
  /** Null: the master does not know it. */
  readonly modelVersion: string | null;
  readonly state: 'loading' | 'ready' | 'failed';
  /** Why it has failed, without a URL. */
  readonly reason?: string;
  readonly downloads: number;
  readonly bytes: number;
  readonly sha256: string | null;
}

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 4 * 1024 ** 3;

/**
 * Downloads each version of a model's file once, however many subscriptions need it. A real worker would load the file onto its GPU; this
 * one only keeps its checksum.
 */
@Injectable()
export class ModelCache implements OnModuleDestroy {
  private readonly logger = new Logger(ModelCache.name);
  readonly #models = new Map<string, CachedModel>();
  readonly #stop = new AbortController();

  constructor(@Inject(WORKER_OPTIONS) private readonly options: Pick<WorkerOptions, 'downloadModels'>) {}

  onModuleDestroy(): void {
    this.#stop.abort();
  }

  /** A subscription needs this file. */
  need(payload: SubscribePayload): void {
    if (this.options.downloadModels === 'off') return;
    const { modelId } = payload;
    const modelVersion = payload.modelVersion ?? null;
    const key = keyOf({ modelId, modelVersion });
    const known = this.#models.get(key);
    if (known !== undefined && known.state !== 'failed') return;
    const downloads = (known?.downloads ?? 0) + 1;
    const model: Omit<CachedModel, 'state'> = { modelId, modelVersion, downloads, bytes: 0, sha256: null };
    this.#models.set(key, { ...model, state: 'loading' });
    download(payload, this.#stop.signal).then(
      (file) => this.#models.set(key, { ...model, ...file, state: 'ready' }),
      (error: Error) => {
        if (this.#stop.signal.aborted) return;
        const reason = reasonOf(error);
        this.#models.set(key, { ...model, state: 'failed', reason });
        this.logger.warn(`the file of model ${modelId}, version ${modelVersion}: ${reason}`);
      },
    );
  }

  /** Undefined if files are not downloaded. */
  find(model: ModelOf): CachedModel | undefined {
    return this.#models.get(keyOf(model));
  }

  /** Whether detections can be made: with this file or, while it is loading, with a former one of the same model. */
  canDetect({ modelId }: ModelOf): boolean {
    if (this.options.downloadModels === 'off') return true;
    return this.all().some((model) => model.modelId === modelId && model.state === 'ready');
  }

  /** For state reports; undefined if files are not downloaded. */
  loaded(): { modelId: number; modelVersion: string | null }[] | undefined {
    if (this.options.downloadModels === 'off') return undefined;
    const ready = this.all().filter(({ state }) => state === 'ready');
    return ready.map(({ modelId, modelVersion }) => ({ modelId, modelVersion }));
  }

  all(): readonly CachedModel[] {
    return [...this.#models.values()];
  }
}

const keyOf = ({ modelId, modelVersion }: { modelId: number; modelVersion?: string | null | undefined }) =>
  JSON.stringify([modelId, modelVersion ?? null]);

class DownloadError extends Error {}

async function download(
  { modelSha256, modelSize, modelUrl }: SubscribePayload,
  stop: AbortSignal,
): Promise<Pick<CachedModel, 'bytes' | 'sha256'>> {
  const signal = signalWithin(TIMEOUT_MS, stop);
  // A redirect could lead to an address of the internal network.
  const response = await fetch(modelUrl, { signal, redirect: 'manual' });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new DownloadError(`HTTP ${response.status}`);
  }
  const hash = createHash('sha256');
  // Counts what is unpacked, because an answer may be compressed.
  const limit = Math.min(modelSize ?? MAX_BYTES, MAX_BYTES);
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > limit) throw new DownloadError(`larger than ${limit} bytes`);
  }
  const sha256 = hash.digest('hex');
  if (bytes !== (modelSize ?? bytes)) throw new DownloadError(`${bytes} bytes, not ${modelSize}`);
  if (sha256 !== (modelSha256 ?? sha256)) throw new DownloadError('another SHA-256 than announced');
  return { bytes, sha256 };
}

/** Messages of `fetch` may repeat the URL, which holds a signature. */
function reasonOf(error: Error): string {
  if (error instanceof DownloadError) return error.message;
  if (error.name === 'TimeoutError') return `no file within ${TIMEOUT_MS} ms`;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? `no connection (${code})` : 'the connection broke';
}
