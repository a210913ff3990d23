import { childProcesses } from '@detector-cluster/dev-services';

/** Every process that this one started, and those started in turn. */
export function descendants(pid: number): number[] {
  return childProcesses(pid).flatMap((child) => [child, ...descendants(child)]);
}
