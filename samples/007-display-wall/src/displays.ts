import { formatSubscription, type DesiredStateSource } from '@detector-cluster/detector-cluster';

/** The cameras of each display. In your application they are probably in a database. */
export const displays: ReadonlyMap<string, readonly string[]> = new Map([
  ['entrance', ['gate', 'driveway']],
  ['garage', ['gate', 'ramp']],
]);

/** One subscription for each camera of each display, whether or not the display is connected. */
export const desiredState: DesiredStateSource = {
  async read() {
    const subscriptions = [...displays].flatMap(([display, cameras]) =>
      cameras.map((camera) => ({
        subscriptionIdentifier: formatSubscription(display, camera),
        rtspUrl: `rtsp://10.0.0.11/${camera}`,
        modelId: 1,
        modelName: 'plates',
        createdAt: '2026-01-01T00:00:00.000Z',
      })),
    );
    return { subscriptions, skipped: [] };
  },
};
