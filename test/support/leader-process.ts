import { fork, type ChildProcess } from 'node:child_process';
import type { MasterElectionOptions, RunOnceOptions } from '@detector-cluster/master-election';

/** What a child process does. All durations in milliseconds. */
export interface LeaderPlan {
  /** Of the child, in the journal and of all its connections. */
  readonly name: string;
  readonly redis: string;
  readonly election: Omit<MasterElectionOptions, 'redis'>;
  /** Key of the list to which the child appends what happens. */
  readonly journal: string;
  readonly jobs?: readonly {
    readonly name: string;
    readonly period: number;
    readonly catchUp?: boolean;
    readonly duration?: 'endless';
  }[];
  readonly once?: { readonly key: string; readonly duration: number; readonly options: RunOnceOptions };
  /** How long leader work continues after it was asked to end; a job takes twice as long. */
  readonly windDown?: number;
  /** End by Nest's shutdown hooks, which pass the signal on, instead of `app.close()` and a natural end. */
  readonly hooks?: boolean;
}

/** One line of the journal. */
export interface JournalEntry {
  readonly name: string;
  readonly event: string;
  /** Wall clock. */
  readonly at: number;
  readonly term?: number;
  readonly job?: string;
  readonly tick?: number;
  readonly late?: boolean;
  readonly ran?: boolean;
}

/** Starts `leader-child.mjs`. */
export function startLeaderChild(plan: LeaderPlan): ChildProcess {
  return fork(new URL('dist/leader-child.js', import.meta.url), [JSON.stringify(plan)], { execArgv: [] });
}
