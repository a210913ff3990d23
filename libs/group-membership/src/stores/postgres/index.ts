export {
  PostgresLeaderStore,
  type PostgresLeaderStoreOptions,
  type SqlPool,
} from './postgres-leader-store.js';
