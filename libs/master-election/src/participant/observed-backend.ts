import type { Candidate, ElectionBackend, ElectionState } from '@detector-cluster/election';

/** A backend that passes each state to an observer before the reader of the campaign gets it. */
export class ObservedBackend implements ElectionBackend {
  constructor(
    private readonly backend: ElectionBackend,
    private readonly onState: (state: ElectionState) => void,
  ) {}

  get name(): string {
    return this.backend.name;
  }

  async *campaign(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    for await (const state of this.backend.campaign(candidate, signal)) {
      this.onState(state);
      yield state;
    }
  }

  resign(): Promise<void> {
    return this.backend.resign();
  }

  close(): Promise<void> {
    return this.backend.close();
  }
}
