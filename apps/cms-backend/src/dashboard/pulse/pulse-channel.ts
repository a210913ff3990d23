import { channelPrefix } from '@detector-cluster/election/redis';

/** The channel on which every process reports its state. */
export const pulseChannel = (keyPrefix: string, database = 0): string =>
  `${channelPrefix(`${keyPrefix}dashboard:`, database)}pulse`;
