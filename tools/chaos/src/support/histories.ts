import { History, type HistoryHeader } from '@detector-cluster/history';
import { resolve } from 'node:path';

const MAX_NOTE = 200;

/** The files with the histories of one run of a scenario: one for each cluster that it starts. */
export class Histories {
  private count = 0;
  private current: History | undefined;

  constructor(
    private readonly folder: string,
    private readonly scenario: string,
    private readonly seed: number,
  ) {}

  begin(promised: Pick<HistoryHeader, 'acceptance' | 'promises'>): History {
    const { scenario, seed } = this;
    const part = this.count++ === 0 ? '' : `-${this.count}`;
    // The processes of a cluster have other working directories.
    const path = resolve(this.folder, `${scenario}-${seed}${part}.jsonl`);
    return (this.current = History.create(path, { scenario, seed, ...promised }));
  }

  /** What the scenario does. Only the first line is kept. */
  note(what: string): void {
    this.current?.write({ fault: { what: what.split('\n', 1)[0]!.slice(0, MAX_NOTE), at: Date.now() } });
  }
}
