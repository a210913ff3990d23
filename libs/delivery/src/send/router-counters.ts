/** Counts that the parts of a router share. The routers of one process share them, too, to count over all its terms. */
export class RouterCounters {
  /** Detections given to the router. */
  routed = 0;
  /** Entries that Redis and the replicas of `acceptance` have confirmed. A copy for a listener counts separately. */
  accepted = 0;
  /** Of these, those that were in the log already when they were sent again. */
  present = 0;
  /** Accepted entries that were dropped because their log was full. */
  dropped = 0;
  /** Entries that were refused because their log was full. */
  refused = 0;
  /** Entries that were never accepted because the buffer of this process was full. */
  bufferDropped = 0;
  /** Entries that were never accepted because the router was closed or deposed. */
  discarded = 0;
  /** Of these, those that come again: their worker keeps them until they are confirmed, or they are dead letters still. */
  kept = 0;
  /** Detections that no process listens to. */
  unheard = 0;
  /** Dead letters that became entries again. */
  replayed = 0;
  /** Entries of other programs that shut out every master; they became dead letters. */
  foreign = 0;
}
