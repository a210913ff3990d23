export { DetectorClusterTestingModule } from './detector-cluster-testing.module.js';
export {
  FakeDetectorCluster,
  type DeliveryOutcome,
  type FakeDelivery,
  type FakeDetectorClusterOptions,
} from './fake-detector-cluster.js';
