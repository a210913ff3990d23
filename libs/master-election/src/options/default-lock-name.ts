/** Default prefix of all keys. */
export const DEFAULT_LOCK_NAME = 'master-election';
