import type { LogLevel } from '@nestjs/common';

/** Everything the process takes from its environment, checked and with defaults applied. */
export interface AppConfig {
  readonly http: {
    /** 0 takes a free port. */
    readonly port: number;
    readonly host: string;
    /** When set, every call below /api needs it in the header `x-api-key`. */
    readonly apiKey: string | null;
  };
  readonly databaseUrl: string;
  readonly redis: RedisAddress;
  readonly cluster: {
    /** `ws://` or `wss://` URLs. */
    readonly workers: readonly string[];
    readonly keyPrefix: string;
    /** Workers download a model from `<modelBaseUrl>/<fileKey>`. */
    readonly modelBaseUrl: string;
    /** Whether the master listens to the database, where `npm run migrate -- change-feed install` has run. */
    readonly changeFeed: boolean;
    /** Encrypts camera URLs in Redis; the same in every process. */
    readonly secret: string | null;
    readonly debug: boolean;
  };
  readonly election: {
    readonly lockName: string;
    readonly timing: 'default' | 'fast';
    /** Name of this process; drawn at random when null. */
    readonly identifier: string | null;
  };
  /** How many detections `/api/detections/recent` keeps. */
  readonly recentDetections: number;
  readonly logLevels: LogLevel[];
}

export type RedisAddress =
  { readonly url: string } | { readonly host: string; readonly port: number; readonly password?: string };

/** Injection token of {@link AppConfig}. */
export const APP_CONFIG = Symbol('APP_CONFIG');
