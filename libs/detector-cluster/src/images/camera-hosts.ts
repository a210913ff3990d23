import type { WorkerConnectionState } from '../model/cluster-state.js';

export interface CameraHost {
  readonly workerUrl: string;
  readonly subscriptionIdentifier: string;
}

/**
 * Which workers can show a subscription (`<displayId>;<cameraId>`) or a camera, the best first: those that are online, and
 * of these the one that holds the subscription before one that it is moving to.
 */
export function cameraHosts(
  identifier: string,
  workers: readonly Pick<WorkerConnectionState, 'url' | 'online' | 'subscriptions'>[],
  holder: string | null,
): CameraHost[] {
  const matches = identifier.includes(';')
    ? (id: string) => id === identifier
    : (id: string) => id.endsWith(`;${identifier}`);
  const hosts = workers.flatMap(({ url, online, subscriptions }) => {
    const subscriptionIdentifier = online ? subscriptions.find(matches) : undefined;
    return subscriptionIdentifier === undefined ? [] : [{ workerUrl: url, subscriptionIdentifier }];
  });
  return hosts.sort((a, b) => Number(b.workerUrl === holder) - Number(a.workerUrl === holder));
}
