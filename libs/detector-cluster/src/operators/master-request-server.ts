import { FencedError } from '@detector-cluster/election/fence';
import { TermOverError } from '../shared/master-errors.js';
import { checkedParams, endsTerm, isMethod, type MasterControls } from './master-methods.js';
import { toWireError, type MasterReply, type MasterRequest, type WireError } from './request-message.js';
import { AnswerMemory } from './answer-memory.js';

/** Longest answer: well below the size at which Redis disconnects a subscriber (8 MiB for a minute, 32 MiB at once). Characters. */
const MAX_ANSWER = 4 * 1024 * 1024;

export interface MasterRequestServerOptions {
  /** Null while this process may not act as master; a new object for each term. */
  readonly controls: () => MasterControls | null;
  /** A method has failed for a reason that the caller did not cause. */
  readonly onFailure?: (method: string, error: unknown) => void;
}

/** Answers of this term are valid in all terms. */
const LASTING = {};

/**
 * Answers requests while this process is master, and carries out each one once: a repetition gets the known answer, or the
 * reply that the request is in progress. A term that ends in the meantime does not answer; its successor gets the next
 * repetition. Only a request that ends a term is answered after its end.
 */
export class MasterRequestServer {
  private readonly memory = new AnswerMemory<object>();

  constructor(private readonly options: MasterRequestServerOptions) {}

  get leads(): boolean {
    return this.options.controls() !== null;
  }

  /** Whether {@link take} may have an answer, because this process is or was master. */
  get listens(): boolean {
    return this.leads || this.memory.size > 0;
  }

  /**
   * Does nothing unless this process is master, or this request ended its term. Calls `reply` at most once, possibly
   * later.
   */
  take(request: MasterRequest, reply: (text: string) => void): void {
    const controls = this.options.controls();
    const { id } = request;
    const term = endsTerm(request.method) ? LASTING : controls;
    if (term === null) return;
    const known = this.memory.find(id, term);
    if (known !== undefined) {
      reply(known ?? encode({ id, state: 'working' }));
      return;
    }
    if (controls === null) return;
    this.memory.begin(id, term);
    void this.answer(request, controls).then((text) => {
      if (text === null) {
        this.memory.forget(id);
        return;
      }
      this.memory.finish(id, term, text);
      if (term === LASTING || this.options.controls() === controls) reply(text);
    });
  }

  /** Null: the term is over, so the successor answers. Never rejects. */
  private async answer(
    { id, method, params }: MasterRequest,
    controls: MasterControls,
  ): Promise<string | null> {
    const failed = (error: WireError) => encode({ id, state: 'failed', error });
    if (!isMethod(method))
      return failed({
        kind: 'unknown-method',
        detail: `the master does not know ${method}; it runs an older version`,
      });
    try {
      const result = await controls[method](checkedParams(method, params) as never, id);
      const text = encode({ id, state: 'done', result });
      if (text.length <= MAX_ANSWER) return text;
      return failed({
        kind: 'too-large',
        detail: `the answer has ${text.length} characters; more than ${MAX_ANSWER} are not sent`,
      });
    } catch (error) {
      if (error instanceof FencedError || error instanceof TermOverError) return null;
      const wire = toWireError(error);
      if (wire.kind === 'failed') this.options.onFailure?.(method, error);
      return failed(wire);
    }
  }
}

const encode = (reply: MasterReply): string => JSON.stringify(reply);
