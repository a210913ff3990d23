/**
 * A cluster without a server, for tests of an application.
 *
 * @example
 * ```ts
 * import { FakeDetectorCluster } from '@detector-cluster/detector-cluster/testing';
 *
 * const cluster = new FakeDetectorCluster();
 * cluster.addGlobalDetectionListener(({ data }) => console.log(data.detection));
 * await cluster.deliver({ subscriptionIdentifier: 'display-001;camera-001', detection: null });
 * ```
 * @packageDocumentation
 */
export { DetectorClusterTestingModule } from './detector-cluster-testing.module.js';
export type { DeliveryOutcome, FakeDelivery } from './fake-deliveries.js';
export { FakeDetectorCluster, type FakeDetectorClusterOptions } from './fake-detector-cluster.js';
