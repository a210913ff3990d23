export { GroupElectionBackend, type GroupElectionOptions } from './group-election-backend.js';
