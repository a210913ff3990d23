import { Elector, type ElectionBackend, type ElectionControl } from '@detector-cluster/election';
import type { Report } from '../report.js';
import { type ExecOptions, ExecRun } from './exec-run.js';
import { Session } from './session.js';

interface ExecContext {
  readonly backend: ElectionBackend;
  readonly control: ElectionControl | undefined;
  readonly report: Report;
}

/** Holds leadership while a command runs. */
export function execElection(options: ExecOptions, context: ExecContext): Session {
  const { instanceId, errorTimeout, renewDeadline, killAfter, stopTimeout } = options;
  const { backend, control, report } = context;
  const run = new ExecRun(options, report, (why, code) => session.stop(why, code));
  const elector = new Elector({
    backend,
    candidate: { id: instanceId },
    handlers: run,
    errorTimeout,
    ...(renewDeadline < Infinity && { renewDeadline }),
    handoverTimeout: killAfter + 5_000,
  });
  const session: Session = new Session({
    elector,
    backend,
    control,
    report,
    instanceId,
    stopTimeout: Math.max(stopTimeout, killAfter + 5_000),
    unfinished: () => false,
    kill: () => run.kill(),
    pass: (signal) => run.pass(signal),
  });
  return session;
}
