import { WorkerLink } from '../worker/worker-link.js';

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
      {from !== undefined && <WorkerLink url={from} />}
      {from !== undefined && to !== undefined && ' → '}
      {to !== undefined && <WorkerLink url={to} />}
    </>
  );
}
