/** Prefix of all keys where no other is given. */
export const DEFAULT_LOCK_NAME = 'master-election';
