import type { AtomicLeaderStore } from '@detector-cluster/group-membership';
import type { GroupElectionOptions } from '@detector-cluster/group-membership/backend';

declare const store: AtomicLeaderStore;
declare const internalAddress: string;
declare const secret: string;
declare const tls: GroupElectionOptions['tls'];
/* block */
