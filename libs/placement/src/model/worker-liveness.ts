/**
 * Connecting: no report yet. Ready: reports arrive. Quarantined: reports arrive, but it gets nothing new, because it was
 * lost so often recently or sends too much. Suspect: the connection is lost or silent; it keeps its subscriptions. Offline: Suspect for so long that
 * its subscriptions are placed elsewhere.
 */
export type WorkerLiveness = 'Connecting' | 'Ready' | 'Suspect' | 'Offline' | 'Quarantined';
