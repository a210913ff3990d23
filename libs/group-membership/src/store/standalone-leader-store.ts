import { MemoryLeaderStore } from './memory-leader-store.js';

/** For an application of one process: it leads, at once, and looks for nobody. */
export class StandaloneLeaderStore extends MemoryLeaderStore {
  readonly standalone = true;
}
