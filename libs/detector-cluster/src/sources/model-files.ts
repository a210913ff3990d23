import { settlesWithin } from '@detector-cluster/election/internal';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import type { ApplicationCalls } from '../shared/application-calls.js';
import type { ModelFile, ModelReference, ModelUrlProvider } from './model-url-provider.js';
import { modelVersionProblem } from './stream-fields.js';

/** How long an answer that arrived too late for its pass may still be sent. Milliseconds. */
const USABLE = 5_000;

/** How long a read waits for the first answer about a model. Milliseconds. */
const FIRST_ANSWER = 250;

export interface ModelFilesOptions {
  readonly provider: ModelUrlProvider;
  readonly calls: ApplicationCalls;
  /** Milliseconds. */
  readonly timeout: number;
  /** The subscriptions of this model have to be read again, because its file has another version. */
  readonly onChange: (model: ModelReference, version: string) => void;
}

interface Question {
  readonly answer: Promise<ModelFile>;
  isPending: boolean;
  /** Something may have changed since it was asked. */
  isOutdated: boolean;
}

/**
 * The files of models, as the application names them. Callers for one model share a pending call, and its result for a short time, so that
 * a provider that takes longer than a pass is not called repeatedly.
 *
 * A version that is known counts until the provider gives another one: neither a failure nor an answer without a version takes it back,
 * because running streams would have to be replaced for it.
 */
export class ModelFiles {
  private readonly asked = new Map<string, Question>();
  /** Undefined: none is known, and no read waits for it any more. */
  private readonly versions = new Map<string, string | undefined>();

  constructor(private readonly options: ModelFilesOptions) {}

  /** The file of a model, or of one of its versions, by an answer that is at most 5 s old. */
  fileOf(model: ModelReference): Promise<ModelFile> {
    return (this.asked.get(questionOf(model)) ?? this.ask(model)).answer;
  }

  /** The last known version. */
  versionOf(model: ModelReference): string | undefined {
    return this.versions.get(modelKey(model));
  }

  /**
   * Asks for the versions of these models. Resolves when something is known of each of them, after 250 ms at the latest. What comes later
   * is announced if it differs.
   * @param isNews whether an answer of the last 5 s may be outdated
   */
  async look(models: Iterable<ModelReference>, isNews: boolean): Promise<void> {
    const unknown = new Map<string, Promise<unknown>>();
    for (const model of models) {
      const key = modelKey(model);
      const question = this.asked.get(questionOf(model));
      if (question === undefined) this.ask(model);
      else if (isNews && question.isPending) question.isOutdated = true;
      else if (isNews) this.ask(model);
      if (!this.versions.has(key))
        unknown.set(
          key,
          this.asked.get(questionOf(model))!.answer.catch(() => undefined),
        );
    }
    if (unknown.size === 0) return;
    await settlesWithin(Promise.all(unknown.values()), FIRST_ANSWER);
    for (const key of unknown.keys()) if (!this.versions.has(key)) this.versions.set(key, undefined);
  }

  private ask({ modelId, modelName, version: wanted }: ModelReference): Question {
    const { calls, provider, timeout } = this.options;
    const model = { modelId, modelName, ...(wanted !== undefined && { version: wanted }) };
    const key = questionOf(model);
    const answer = calls.run(`modelUrl.urlFor of model ${modelId}`, timeout, async () =>
      checkedFile(await provider.urlFor(model)),
    );
    const question: Question = { answer, isPending: true, isOutdated: false };
    this.asked.set(key, question);
    const forget = () => {
      if (this.asked.get(key) === question) this.asked.delete(key);
    };
    const settled = () => {
      question.isPending = false;
      if (question.isOutdated) this.ask(model);
    };
    answer.then(
      ({ version }) => {
        if (wanted === undefined) this.learn(model, version);
        setTimeout(forget, USABLE).unref();
        settled();
      },
      () => {
        forget();
        settled();
      },
    );
    return question;
  }

  private learn(model: ModelReference, version: string | undefined): void {
    const key = modelKey(model);
    const isFirst = !this.versions.has(key);
    const before = this.versions.get(key);
    if (isFirst || version !== undefined) this.versions.set(key, version);
    if (!isFirst && version !== undefined && version !== before) this.options.onChange(model, version);
  }
}

/** Names a model in maps and in Redis. */
export const modelKey = ({ modelId, modelName }: ModelReference): string => `${modelId} ${modelName}`;

const questionOf = (model: ModelReference): string => JSON.stringify([modelKey(model), model.version]);

function checkedFile(answer: string | ModelFile): ModelFile {
  if (typeof answer === 'string') return { url: answer };
  const { sha256, size, version } = answer;
  const problem = version === undefined ? null : modelVersionProblem(version);
  if (problem !== null) throw new InvalidInputError('version', problem);
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0))
    throw new InvalidInputError('size', `must be a number of bytes, got ${String(size)}`);
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256))
    throw new InvalidInputError('sha256', 'must be 64 hexadecimal digits in lower case');
  return answer;
}
