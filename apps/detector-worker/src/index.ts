// For programs that run workers inside a process of their own; the worker itself is `main`.
export { CommandExecutor } from './connections/command-executor.js';
export { createWorkerApp } from './create-worker-app.js';
export { readEnvironment, type EnvironmentResult } from './read-environment.js';
export type { WorkerOptions } from './worker-options.js';
export type { StatsReport } from './reports/stats.controller.js';
