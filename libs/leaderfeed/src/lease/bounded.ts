export { bounded } from '@detector-cluster/election/lease';
