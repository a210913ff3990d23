import { FencedError } from '@detector-cluster/election/fence';
import type { MasterControls } from '../master-controls.js';
import { TenureOverError } from '../tenure-over.error.js';
import { AnswerMemory, type AnswerMemoryOptions } from './answer-memory.js';
import { methodOf } from './master-methods.js';
import type { MasterReply, MasterRequest } from './request-message.js';
import { toWireError, type WireError } from './wire-error.js';

/** Longest answer: well below what makes Redis cut off a subscriber (8 MiB for a minute, 32 MiB at once). Characters. */
const LONGEST_ANSWER = 4 * 1024 * 1024;

export interface MasterRequestServerOptions {
  /** Null while this process may not act as master; another object for each tenure. */
  readonly controls: () => MasterControls | null;
  /** A method has failed for a reason that is not the caller's. */
  readonly onFailure?: (method: string, error: unknown) => void;
  readonly memory?: AnswerMemoryOptions;
}

/**
 * Answers requests while this process is master, each one once: a repetition gets the answer that there is, or the news
 * that it is being worked out. A tenure that ends meanwhile answers nothing; its successor gets the next repetition.
 */
export class MasterRequestServer {
  private readonly memory: AnswerMemory<MasterControls>;

  constructor(private readonly options: MasterRequestServerOptions) {
    this.memory = new AnswerMemory(options.memory);
  }

  get leads(): boolean {
    return this.options.controls() !== null;
  }

  /** Does nothing unless this process is master. `reply` may be called later, once at most. */
  take(request: MasterRequest, reply: (text: string) => void): void {
    const controls = this.options.controls();
    if (controls === null) return;
    const { id } = request;
    const known = this.memory.find(id, controls);
    if (known !== undefined) {
      reply(known ?? encode({ id, state: 'working' }));
      return;
    }
    this.memory.begin(id, controls);
    void this.answer(request, controls).then((text) => {
      if (text === null) {
        this.memory.forget(id);
        return;
      }
      this.memory.finish(id, controls, text);
      if (this.options.controls() === controls) reply(text);
    });
  }

  /** Null: the tenure is over, which is not for the caller to know. Never rejects. */
  private async answer(
    { id, method, params }: MasterRequest,
    controls: MasterControls,
  ): Promise<string | null> {
    const failed = (error: WireError) => encode({ id, state: 'failed', error });
    const handler = methodOf(method);
    if (handler === null)
      return failed({
        kind: 'unknown-method',
        detail: `the master does not know ${method}; it runs an older version`,
      });
    try {
      const text = encode({ id, state: 'done', result: await handler(controls, params) });
      if (text.length <= LONGEST_ANSWER) return text;
      return failed({
        kind: 'too-large',
        detail: `the answer has ${text.length} characters; more than ${LONGEST_ANSWER} are not sent`,
      });
    } catch (error) {
      if (error instanceof FencedError || error instanceof TenureOverError) return null;
      const wire = toWireError(error);
      if (wire.kind === 'failed') this.options.onFailure?.(method, error);
      return failed(wire);
    }
  }
}

const encode = (reply: MasterReply): string => JSON.stringify(reply);
