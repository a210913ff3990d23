import type { readConfig } from './read-config.js';

/** Everything the process takes from its environment, checked and with defaults applied. */
export type AppConfig = ReturnType<typeof readConfig>;

/** Injection token of {@link AppConfig}. */
export const APP_CONFIG = Symbol('APP_CONFIG');
