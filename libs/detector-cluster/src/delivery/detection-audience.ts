/** Why a process gets a detection: it owns the worker, it has listeners for the subscription, or both. */
export type DetectionAudience = 'owner' | 'listener' | 'both';
