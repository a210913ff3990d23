import type { Candidate } from '../contract/candidate.js';
import type { ElectionBackend } from '../contract/election-backend.js';
import type { ElectionState } from '../contract/election-state.js';

/** A backend that reports what a test tells it to, when the test tells it to. */
export class ScriptedBackend implements ElectionBackend {
  readonly name = 'scripted';
  /** What was asked of it, in order. */
  readonly calls: ('campaign' | 'resign' | 'close')[] = [];
  private readonly states: (ElectionState | Error)[] = [];
  private wake: () => void = () => undefined;
  private closed = false;
  /** Whether a campaign is under way. */
  campaigning = false;

  /** Runs when `resign` is called, before it is answered. */
  onResign: () => void = () => undefined;

  /** Reports a state, or lets the campaign break with an error. */
  push(state: ElectionState | Error): void {
    this.states.push(state);
    this.wake();
  }

  async *campaign(_candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    this.calls.push('campaign');
    this.campaigning = true;
    try {
      while (!signal.aborted && !this.closed) {
        const state = this.states.shift();
        if (state instanceof Error) throw state;
        if (state) yield state;
        else await this.news(signal);
      }
    } finally {
      this.campaigning = false;
    }
  }

  resign(): Promise<void> {
    this.calls.push('resign');
    this.onResign();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.calls.push('close');
    this.closed = true;
    this.wake();
    return Promise.resolve();
  }

  private news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        signal.removeEventListener('abort', this.wake);
        resolve();
      };
      signal.addEventListener('abort', this.wake);
    });
  }
}
