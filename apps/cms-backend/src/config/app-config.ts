import type { ClusterLabel } from '@detector-cluster/dashboard-protocol';
import type { ApiKey } from './api-keys-variable.js';
import type {
  CanaryOptions,
  RebalanceWindow,
  WorkerLimits,
  WorkerOption,
} from '@detector-cluster/detector-cluster';
import type { LogLevel } from '@nestjs/common';

/** Everything the process takes from its environment, checked and with defaults applied. */
export interface AppConfig {
  readonly http: {
    /** 0 takes a free port. */
    readonly port: number;
    readonly host: string;
    /** If there are keys, every call except /health needs one: in `x-api-key`, or as `Authorization: Bearer`. Those of `proxy` do not. */
    readonly keys: readonly ApiKey[];
    /** Whose headers name the user of a request, and which users or groups may operate. Null: none. */
    readonly proxy: { readonly networks: readonly string[]; readonly operators: readonly string[] } | null;
    /** Host names that requests may use, in addition to addresses and names without a dot. Without keys, all other names are refused. */
    readonly allowedHosts: readonly string[];
    /** Maximum number of requests of one address within 10 s; 0: no limit. */
    readonly rateLimit: number;
    /** Proxies in front of the service, whose `X-Forwarded-For` contains the address of the caller. */
    readonly trustedProxies: number;
    /** How long a connection may be idle. Milliseconds. */
    readonly keepAliveTimeout: number;
  };
  readonly databaseUrl: string;
  /** Where the master listens to the database: the same database without a pooler. */
  readonly directUrl: string;
  readonly redis: RedisAddress;
  readonly cluster: {
    readonly workers: readonly WorkerOption[];
    /** How much the master takes from one worker, where it is not the default. */
    readonly workerLimits: Partial<WorkerLimits>;
    readonly keyPrefix: string;
    /** For people; null: none. */
    readonly label: ClusterLabel | null;
    /**
     * Allowed networks, addresses and names of cameras and workers. Null: all except link-local, multicast and reserved
     * addresses and those of metadata services.
     */
    readonly networks: readonly string[] | null;
    readonly models: ModelStore;
    /** Null: a new version of a model's file runs on all cameras at once. */
    readonly canary: CanaryOptions | null;
    /** When cameras may move to balance the load. Empty: at any time. */
    readonly rebalanceWindows: readonly RebalanceWindow[];
    /** Whether the master listens to the database, where `npm run migrate -- change-feed install` has run. */
    readonly changeFeed: boolean;
    /** Encrypt camera URLs in Redis: the first encrypts, all decrypt. The same in every process. */
    readonly secret: readonly string[] | null;
    readonly debug: boolean;
    readonly delivery: {
      readonly partitions: number;
      readonly overflow: 'drop-oldest' | 'refuse-new';
      /** What must confirm a detection beside the master of Redis; null if that alone accepts it. */
      readonly acceptance: {
        readonly replicas: number;
        readonly fsync: boolean;
        readonly timeout: number;
      } | null;
    };
  };
  readonly election: {
    readonly lockName: string;
    readonly timing: 'default' | 'fast';
    /** Name of this process; drawn at random when null. */
    readonly identifier: string | null;
  };
  readonly alerts: AlertsConfig;
  /** How many detections `/api/detections/recent` keeps. */
  readonly recentDetections: number;
  /** How long the database keeps detections for searches, and how many. Null: it keeps none. */
  readonly detectionHistory: DetectionHistoryConfig | null;
  readonly logLevels: LogLevel[];
  /** One line of text, or one JSON object, per message. */
  readonly logFormat: 'text' | 'json';
}

/** Where the master sends alerts. */
export interface AlertsConfig {
  readonly alertmanager: string | null;
  readonly webhook: { readonly url: string; readonly secret: Buffer } | null;
  /** Those that Prometheus gives to the metrics of this cluster. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Detections beyond one of the limits are deleted. */
export interface DetectionHistoryConfig {
  readonly hours: number;
  readonly rows: number;
  /** Where the pictures of detections are kept, and how many bytes of them. Null: nowhere. */
  readonly pictures: { readonly place: PicturePlace; readonly bytes: number } | null;
}

/** A directory that all processes share, or a bucket; `prefix` precedes the keys of its objects. */
export type PicturePlace =
  { readonly directory: string } | { readonly bucket: string; readonly prefix: string };

/** Where workers download a model: at `<baseUrl>/<fileKey>`, or the object `fileKey` of a bucket. */
export type ModelStore = { readonly baseUrl: string } | S3ModelStore;

export interface S3ModelStore {
  readonly bucket: string;
  /** If this or one of the following is missing, the AWS SDK looks for it in its usual places. */
  readonly region?: string;
  readonly endpoint?: string;
  readonly forcePathStyle?: boolean;
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** How long a URL is valid. Milliseconds. */
  readonly expiresIn: number;
}

export type RedisAddress =
  | { readonly url: string }
  | { readonly host: string; readonly port: number; readonly password?: string }
  | {
      readonly sentinels: { readonly host: string; readonly port: number }[];
      /** The name under which the sentinels know the master. */
      readonly name: string;
      /** The password of the servers, not of the sentinels. */
      readonly password?: string;
    };

/** Injection token of {@link AppConfig}. */
export const APP_CONFIG = Symbol('APP_CONFIG');
