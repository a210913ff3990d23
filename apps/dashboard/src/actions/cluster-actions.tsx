import type { ProcessRow } from '@detector-cluster/dashboard-protocol';
import { clusterApi } from '../api/cluster-api.js';
import { confirmAction } from './confirmation.js';
import { RebalancePreview } from './rebalance-preview.js';

export function askToRegenerate(): void {
  confirmAction({
    title: 'Regenerate now?',
    body: () => (
      <p>
        The master reads again what should run and sends the workers what differs. It does so by itself after
        each change and every 30 seconds; nothing is moved to level the load.
      </p>
    ),
    confirm: 'Regenerate',
    run: async () => {
      await clusterApi.regenerate();
      return 'The master has read what should run, and planned.';
    },
  });
}

export function askToRebalance(): void {
  confirmAction({
    title: 'Rebalance now?',
    body: RebalancePreview,
    confirm: 'Rebalance',
    wide: true,
    run: async () => {
      const { accepted } = await clusterApi.rebalance();
      if (!accepted) throw new Error('the master has not taken it up; try again');
      return 'The master has planned anew and levels the load.';
    },
  });
}

/** Only the master that is shown resigns: whoever follows it is left alone. */
export function askToResign({ nodeId, identifier, term }: ProcessRow): void {
  confirmAction({
    title: 'Have the master resign?',
    body: () => (
      <>
        <p>
          <bdi class="mono">{nodeId}</bdi>, term {term}
        </p>
        <p>
          Another process takes over within a second or so, with what the workers do already; a process that
          is alone wins again. Cameras run on meanwhile.
        </p>
      </>
    ),
    confirm: 'Resign',
    tone: 'danger',
    run: async () => {
      await clusterApi.resign(term);
      return `${identifier} has resigned from term ${term}.`;
    },
  });
}
