import type { MasterReply } from './request-message.js';

type Answer = Exclude<MasterReply, { state: 'working' }>;

/** One call that waits for its answer. */
export class PendingCall {
  answer: Answer | null = null;
  closed = false;
  /** When the master last reported progress. Monotonic milliseconds. */
  workingAt: number | null = null;
  private wakeUp: () => void = () => undefined;

  take(reply: MasterReply): void {
    if (reply.state === 'working') {
      this.workingAt = performance.now();
      return;
    }
    this.answer ??= reply;
    this.wakeUp();
  }

  close(): void {
    this.closed = true;
    this.wakeUp();
  }

  /** Ends the present {@link wait}, because the call should repeat its request at once. */
  wake(): void {
    this.wakeUp();
  }

  /** Resolves when there is something to do, after `ms` at the latest. */
  wait(ms: number): Promise<void> {
    if (this.answer !== null || this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
