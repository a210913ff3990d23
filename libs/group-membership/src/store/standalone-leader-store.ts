import { MemoryLeaderStore } from './memory-leader-store.js';

/** For an application of one process: the process leads at once and does not look for other members. */
export class StandaloneLeaderStore extends MemoryLeaderStore {
  readonly standalone = true;
}
