/** Counts that the parts of a router share, and the routers of one process if it likes. */
export class RouterCounters {
  routed = 0;
  accepted = 0;
  duplicatesRefused = 0;
  dropped = 0;
  rejected = 0;
  bufferDropped = 0;
  discarded = 0;
  unheard = 0;
  rerouted = 0;
  replayed = 0;
  listenerEntriesDiscarded = 0;
}
