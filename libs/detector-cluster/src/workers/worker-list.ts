import { isDeepStrictEqual } from 'node:util';
import { InvalidDetectorClusterOptionsError } from '../shared/invalid-detector-cluster-options.error.js';
import {
  type WorkerOption,
  type WorkerReader,
  resolveWorkers,
  type WorkerDefinition,
} from './worker-definition.js';
import { NetworkPolicy } from '../shared/network-policy.js';

/** The workers: as configured, or as the application's function last returned them. */
export class WorkerList {
  private options: readonly WorkerOption[] = [];
  private reading: Promise<void> | null = null;

  /** @param reader null: the list does not change */
  constructor(
    private definitions: readonly WorkerDefinition[],
    private readonly reader: WorkerReader | null,
    private readonly networks = NetworkPolicy.default,
  ) {}

  get current(): readonly WorkerDefinition[] {
    return this.definitions;
  }

  /** Whether it can change at run time. */
  get changes(): boolean {
    return this.reader !== null;
  }

  /**
   * Reads it again. What has not changed stays the same object. Rejects as the reader does, and with
   * {@link InvalidDetectorClusterOptionsError} naming what is wrong with the list; the last good one stays then.
   */
  refresh(): Promise<void> {
    if (this.reader === null) return Promise.resolve();
    this.reading ??= this.read(this.reader).finally(() => (this.reading = null));
    return this.reading;
  }

  private async read(reader: WorkerReader): Promise<void> {
    const options = await reader();
    if (isDeepStrictEqual(options, this.options)) return;
    const problems: string[] = [];
    const resolved = resolveWorkers(options, problems, this.networks);
    if (problems.length > 0) throw new InvalidDetectorClusterOptionsError(problems);
    const before = new Map(
      this.definitions.map((definition, i) => [definition.id, [definition, this.options[i]]] as const),
    );
    this.definitions = resolved.map((definition, i) => {
      const [known, option] = before.get(definition.id) ?? [];
      if (known === undefined) return definition;
      if (isDeepStrictEqual(option, options[i])) return known;
      return isDeepStrictEqual(access(option), access(options[i]))
        ? { ...definition, credentials: known.credentials }
        : definition;
    });
    this.options = options.map(copyOf);
  }
}

/** The application may change its objects later. */
function copyOf(option: WorkerOption): WorkerOption {
  if (typeof option === 'string') return option;
  const { tls, labels } = option;
  return { ...option, ...(tls && { tls: { ...tls } }), ...(labels && { labels: { ...labels } }) };
}

/** A change of one of these settings makes a new connection necessary. */
function access(option: WorkerOption | undefined): unknown {
  if (option === undefined || typeof option === 'string') return { url: option };
  const { url, token, tls } = option;
  return { url, ...(token !== undefined && { token }), ...(tls !== undefined && { tls }) };
}
