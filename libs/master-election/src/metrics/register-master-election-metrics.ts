import { errorMonitor } from 'node:events';
import { oncePerRegistry } from '@detector-cluster/election/util';
import { register, type Registry } from 'prom-client';
import type { MasterElection } from '../master-election.js';
import type { MasterElectionEvents } from '../master-election-events.js';
import { ElectionMetrics } from './election-metrics.js';

const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;

/** The code of an error as a label value; its name if it has no code. Never its message, which could take any value. */
export function errorCode(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && CODE.test(code) ? code : error.name;
}

type Listeners = { [Name in keyof MasterElectionEvents]?: (...args: MasterElectionEvents[Name]) => void };

const metricsOf = oncePerRegistry(
  'master_election_role',
  (registry: Registry) => new ElectionMetrics(registry),
);

/**
 * Registers the metrics of an election, `master_election_*` with its name as label `election`, with prom-client's default
 * registry or another. Several elections can share a registry.
 * @returns a function that unregisters the election; the counters keep their values.
 */
export function registerMasterElectionMetrics(
  election: MasterElection,
  registry: Registry = register,
): () => void {
  const metrics = metricsOf(registry);
  const name = { election: election.name };
  const slaves = new Set<string>();
  const listeners: Listeners = {
    'master-acquired': ({ reason }) => metrics.transitions.inc({ ...name, to: 'master', reason }),
    'master-lost': ({ reason }) => {
      slaves.clear();
      metrics.transitions.inc({ ...name, to: 'slave', reason });
    },
    'master-suspended': () => metrics.suspended.inc(name),
    'lease-renewed': ({ latency }) => metrics.renewals.observe(name, latency / 1_000),
    'slave-registered': ({ nodeId }) => slaves.add(nodeId),
    'slave-removed': (nodeId) => slaves.delete(nodeId),
  };
  const onError = (error: Error) => metrics.errors.inc({ ...name, code: errorCode(error) });
  const measured = {
    status: () => election.getStatus(),
    members: () => (election.getIsMaster() ? slaves.size + 1 : null),
  };
  metrics.add(measured);
  for (const [event, listener] of Object.entries(listeners))
    election.on(event as 'error', listener as () => void);
  // With a listener of `error` the election would no longer log its errors.
  election.on(errorMonitor as unknown as 'error', onError);
  return () => {
    metrics.remove(measured);
    for (const [event, listener] of Object.entries(listeners))
      election.off(event as 'error', listener as () => void);
    election.off(errorMonitor as unknown as 'error', onError);
  };
}
