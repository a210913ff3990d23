// For programs that run workers inside a process of their own; the worker itself is `main`.
export { CommandExecutor } from './connections/command-executor.js';
export { createWorkerApp } from './create-worker-app.js';
export { readEnvironment, type EnvironmentResult } from './options/read-environment.js';
export type { WorkerOptions } from './options/worker-options.js';
export type { StatsReport } from './stats/stats.controller.js';
