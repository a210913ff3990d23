import type { RegisteredProcess } from '@detector-cluster/master-election';
import { expect, it } from 'vitest';
import { membersOf } from './cluster-members.js';

const process = (
  nodeId: string,
  role: RegisteredProcess['role'],
  canProcessDetections = true,
  preferredWorkload = 80,
) =>
  ({
    nodeId,
    role,
    capabilities: { canProcessDetections, maxSubscriptions: 100, preferredWorkload },
  }) as RegisteredProcess;

it('names the slaves in order, and what each prefers', () => {
  const members = membersOf(
    [process('m', 'master'), process('b', 'slave', true, 20), process('a', 'slave')],
    'm',
    new Set(),
  );
  expect(members.ids).toEqual(['a', 'b']);
  expect([...members.workloads]).toEqual([
    ['m', 80],
    ['b', 20],
    ['a', 80],
  ]);
});

it('names the master if it is alone', () => {
  expect(membersOf([process('m', 'master')], 'm', new Set()).ids).toEqual(['m']);
});

it('gives no workload to a process that cannot process detections, and a little to one that prefers none', () => {
  const { workloads } = membersOf(
    [process('a', 'slave', false), process('b', 'slave', true, 0)],
    'm',
    new Set(),
  );
  expect([...workloads.values()]).toEqual([0, 1]);
});
