export {
  type DeliveryOutcome,
  DetectorClusterTestingModule,
  type FakeDelivery,
  FakeDetectorCluster,
  type FakeDetectorClusterOptions,
} from './fake-detector-cluster.js';
