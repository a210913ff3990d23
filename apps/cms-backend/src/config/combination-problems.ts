import { postgresUrlProblems, readPostgresUrl, schemaOf } from '@detector-cluster/election/internal';
import { flag, SECRET_VARIABLES } from './environment.schema.js';

type Given = Readonly<Record<string, string | undefined>>;

const isOn = (value: string | undefined): boolean => flag.safeParse(value).data === true;

/** Variables that mean nothing without another one. */
const NEEDS = {
  MODEL_CANARY_TIME: 'MODEL_CANARY_SHARE',
  CLUSTER_COLOUR: 'CLUSTER_NAME',
  MODEL_S3_SESSION_TOKEN: 'MODEL_S3_ACCESS_KEY_ID',
  TRUSTED_PROXY_OPERATORS: 'TRUSTED_PROXY',
  DETECTION_PICTURES_MIB: 'DETECTION_PICTURES',
};

/** Pairs of variables. Both of a pair are set, or neither. */
const PAIRS = [
  ['WORKER_TLS_CERT', 'WORKER_TLS_KEY', 'certificate and key'],
  ['MODEL_S3_ACCESS_KEY_ID', 'MODEL_S3_SECRET_ACCESS_KEY', 'an access key and its id'],
  ['ALERT_WEBHOOK_URL', 'ALERT_WEBHOOK_SECRET', 'the address of a webhook and the key of its signatures'],
] as const;

/** Problems that concern several variables. Each names one of them. */
export function combinationProblems(given: Given): string[] {
  return [
    ...databaseProblems(given),
    ...redisProblems(given),
    ...modelProblems(given),
    ...deliveryProblems(given),
    ...pictureProblems(given),
    ...Object.entries(NEEDS).flatMap(([name, other]) =>
      given[name] !== undefined && given[other] === undefined
        ? [`${name}: needs ${other}; set that too, or leave this out`]
        : [],
    ),
    ...PAIRS.flatMap(([one, other, called]) => {
      if ((given[one] === undefined) === (given[other] === undefined)) return [];
      return [`${given[one] === undefined ? one : other}: is missing; ${called} belong together`];
    }),
    ...placeholderProblems(given),
  ];
}

function databaseProblems({ DATABASE_URL: url, DIRECT_URL: direct, CHANGE_FEED: feed }: Given): string[] {
  if (url === undefined || postgresUrlProblems(url).length > 0) return [];
  if (direct !== undefined)
    return postgresUrlProblems(direct).length > 0 || schemaOf(direct) === schemaOf(url)
      ? []
      : ['DIRECT_URL: names another schema than DATABASE_URL; give both the same parameter "schema"'];
  return isOn(feed) && readPostgresUrl(url).pooler
    ? ['DIRECT_URL: is missing; CHANGE_FEED cannot listen through the pooler of DATABASE_URL']
    : [];
}

function redisProblems(given: Given): string[] {
  const excluded = (by: string, names: readonly string[]) =>
    names
      .filter((name) => given[name] !== undefined)
      .map((name) => `${name}: must not be set together with ${by}`);
  if (given.REDIS_URL !== undefined)
    return excluded('REDIS_URL', [
      'REDIS_HOST',
      'REDIS_PORT',
      'REDIS_PASSWORD',
      'REDIS_SENTINELS',
      'REDIS_SENTINEL_NAME',
    ]);
  if (given.REDIS_SENTINELS !== undefined)
    return [
      ...excluded('REDIS_SENTINELS', ['REDIS_HOST', 'REDIS_PORT']),
      ...(given.REDIS_SENTINEL_NAME === undefined
        ? ['REDIS_SENTINEL_NAME: is missing; REDIS_SENTINELS needs the name of the master']
        : []),
    ];
  if (given.REDIS_SENTINEL_NAME !== undefined) return ['REDIS_SENTINEL_NAME: needs REDIS_SENTINELS'];
  return given.REDIS_HOST === undefined ? ['REDIS_URL: set it, or REDIS_HOST or REDIS_SENTINELS'] : [];
}

function pictureProblems({ DETECTION_PICTURES: place, DETECTION_HISTORY: history }: Given): string[] {
  return place === undefined || isOn(history)
    ? []
    : [
        'DETECTION_PICTURES: needs DETECTION_HISTORY=true, because pictures are deleted with stored detections',
      ];
}

function modelProblems(given: Given): string[] {
  const s3 = Object.keys(given).filter((name) => /^MODEL_S3_(?!.*_FILE$)/.test(name));
  if (given.MODEL_S3_BUCKET === undefined) {
    if (given.MODEL_BASE_URL === undefined) return ['MODEL_BASE_URL: set it, or MODEL_S3_BUCKET'];
    return s3.map((name) => `${name}: needs MODEL_S3_BUCKET; set that too, or leave this out`);
  }
  return given.MODEL_BASE_URL === undefined
    ? []
    : ['MODEL_BASE_URL: must not be set together with MODEL_S3_BUCKET'];
}

/** The placeholders for secrets in the examples of this repository. */
const PLACEHOLDER = 'replace-this';

function placeholderProblems(given: Given): string[] {
  return SECRET_VARIABLES.filter((name) => given[name]?.includes(PLACEHOLDER)).map(
    (name) => `${name}: holds "${PLACEHOLDER}" of the example; put your own value in its place`,
  );
}

function deliveryProblems(given: Given): string[] {
  const { DELIVERY_ACCEPTANCE_REPLICAS: replicas, DELIVERY_ACCEPTANCE_FSYNC: fsync } = given;
  return given.DELIVERY_ACCEPTANCE_TIMEOUT !== undefined && replicas === undefined && !isOn(fsync)
    ? [
        'DELIVERY_ACCEPTANCE_TIMEOUT: needs DELIVERY_ACCEPTANCE_REPLICAS or DELIVERY_ACCEPTANCE_FSYNC; set one too, or leave this out',
      ]
    : [];
}
