import { errorMonitor } from 'node:events';
import { oncePerRegistry } from '@detector-cluster/election/internal';
import { Counter, Gauge, Histogram, register, type Registry } from 'prom-client';
import type { MasterElectionEvents } from '../shared/master-election-events.js';
import type { MasterElection } from '../election/master-election.js';
import type { MasterElectionStatus } from '../participant/status-tracker.js';

/** Source that the metrics read on each scrape. */
export interface MeasuredElection {
  readonly status: () => MasterElectionStatus;
  /** Processes of the cluster, on the master only. */
  readonly members: () => number | null;
}

/** From a local server to one that is almost too far away for the lease. Seconds. */
const LATENCY_BUCKETS = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The metrics of one registry for all elections registered there. The label `election` identifies each. */
export class ElectionMetrics {
  readonly transitions: Counter<'election' | 'to' | 'reason'>;
  readonly suspended: Counter<'election'>;
  readonly errors: Counter<'election' | 'code'>;
  readonly renewals: Histogram<'election'>;
  private readonly elections = new Set<MeasuredElection>();

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.gauge('role', '1 while this process is master, 0 while it is not', ({ role }) =>
      role === 'master' ? 1 : 0,
    );
    this.gauge(
      'may_act',
      '1 while this process may act as master, 0 while it is not or suspended',
      ({ mayAct }) => (mayAct ? 1 : 0),
    );
    this.gauge('term', 'Highest term that this process has seen', ({ term }) => term);
    this.gauge('leader_known', '1 while this process knows who is master', ({ leaderId }) =>
      leaderId === null ? 0 : 1,
    );
    this.gauge(
      'lease_age_seconds',
      'On the master: time since the confirmation that its lease rests on was sent',
      ({ leaseAge }) => (leaseAge === null ? null : leaseAge / 1_000),
    );
    this.gauge(
      'members',
      'On the master: processes of the cluster, itself included',
      (_status, members) => members,
    );
    this.transitions = new Counter({
      name: 'master_election_transitions_total',
      help: 'Changes of the role of this process, by the new role and the reason',
      labelNames: ['election', 'to', 'reason'],
      registers,
    });
    this.suspended = new Counter({
      name: 'master_election_suspended_total',
      help: 'Times that this process was master and might not act, because its lease was not confirmed in time',
      labelNames: ['election'],
      registers,
    });
    this.errors = new Counter({
      name: 'master_election_errors_total',
      help: 'Errors of the election, by code',
      labelNames: ['election', 'code'],
      registers,
    });
    this.renewals = new Histogram({
      name: 'master_election_renewal_duration_seconds',
      help: 'Time from sending a confirmation of the lease to its answer',
      labelNames: ['election'],
      buckets: LATENCY_BUCKETS,
      registers,
    });
  }

  add(election: MeasuredElection): void {
    this.elections.add(election);
    const { name } = election.status();
    // A counter that does not exist before its first event hides that event from `rate()`.
    this.suspended.inc({ election: name }, 0);
    this.renewals.zero({ election: name });
  }

  remove(election: MeasuredElection): void {
    this.elections.delete(election);
  }

  private gauge(
    name: string,
    help: string,
    value: (status: MasterElectionStatus, members: number | null) => number | null,
  ): void {
    const { elections } = this;
    const gauge = new Gauge({
      name: `master_election_${name}`,
      help,
      labelNames: ['election'],
      registers: [],
      collect() {
        this.reset();
        for (const { status, members } of elections) {
          const known = status();
          const found = value(known, members());
          if (found !== null) this.set({ election: known.name }, found);
        }
      },
    });
    this.registry.registerMetric(gauge);
  }
}

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
