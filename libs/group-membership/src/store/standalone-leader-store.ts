import { MemoryLeaderStore } from './memory-leader-store.js';

/** For an application of one process: the process leads at once, and looks for no other member. */
export class StandaloneLeaderStore extends MemoryLeaderStore {
  readonly standalone = true;
}
