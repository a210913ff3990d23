import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import type { ComponentChildren } from 'preact';
import { clusterApi } from '../api/cluster-api.js';
import { workerName } from '../overview/workers/worker-name.js';
import { confirmAction } from './confirmation.js';

export function askToDrain({ url, subscriptionCount }: WorkerRow): void {
  const name = workerName(url);
  confirmAction({
    title: 'Drain this worker?',
    body: () => (
      <About name={name}>
        {subscriptionCount === 0
          ? 'It has nothing to move.'
          : `What it has (${count(subscriptionCount)}) moves`}
        {subscriptionCount > 0 && ' to other workers, each camera without a gap where the others have room.'}{' '}
        It gets nothing new until it is uncordoned.
      </About>
    ),
    confirm: 'Drain',
    tone: 'danger',
    run: async () => {
      const { changed } = await clusterApi.drain(url);
      return changed === false ? `${name} is being drained already.` : `${name} is being drained.`;
    },
  });
}

export function askToCordon({ url, standing }: WorkerRow): void {
  const name = workerName(url);
  confirmAction({
    title: 'Cordon this worker?',
    body: () => (
      <About name={name}>
        It keeps what it has and gets nothing new until it is uncordoned.
        {standing === 'draining' && ' Its drain ends where it is.'}
      </About>
    ),
    confirm: 'Cordon',
    run: async () => {
      const { changed } = await clusterApi.cordon(url);
      return changed === false ? `${name} is cordoned already.` : `${name} is cordoned.`;
    },
  });
}

export function askToUncordon({ url, standing }: WorkerRow): void {
  const name = workerName(url);
  confirmAction({
    title: 'Uncordon this worker?',
    body: () => (
      <About name={name}>
        It takes part again and may get new cameras.
        {standing === 'draining' && ' Its drain ends where it is.'}
      </About>
    ),
    confirm: 'Uncordon',
    run: async () => {
      const { changed } = await clusterApi.uncordon(url);
      return changed === false ? `${name} takes part already.` : `${name} takes part again.`;
    },
  });
}

function About({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <p>
        <bdi class="mono">{name}</bdi>
      </p>
      <p>{children}</p>
    </>
  );
}

function count(subscriptions: number): string {
  return subscriptions === 1 ? '1 subscription' : `${subscriptions} subscriptions`;
}
