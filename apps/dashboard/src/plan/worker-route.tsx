import { workerName } from '../overview/workers/worker-name.js';

/** The old and the new worker; either may be missing. */
export function WorkerRoute({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}) {
  return (
    <>
      {from !== undefined && <bdi title={from}>{workerName(from)}</bdi>}
      {from !== undefined && to !== undefined && ' → '}
      {to !== undefined && <bdi title={to}>{workerName(to)}</bdi>}
    </>
  );
}
