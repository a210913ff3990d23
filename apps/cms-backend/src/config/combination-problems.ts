import { postgresUrlProblems, readPostgresUrl, schemaOf } from '@detector-cluster/election/internal';
import { SECRET_VARIABLES } from './secret-files.js';

type Given = Readonly<Record<string, string | undefined>>;

/** Problems that concern several variables. Each names one of them. */
export function combinationProblems(given: Given): string[] {
  return [
    ...databaseProblems(given),
    ...redisProblems(given),
    ...canaryProblems(given),
    ...modelProblems(given),
    ...workerProblems(given),
    ...deliveryProblems(given),
    ...labelProblems(given),
    ...alertProblems(given),
    ...proxyProblems(given),
    ...pictureProblems(given),
    ...placeholderProblems(given),
  ];
}

function databaseProblems({ DATABASE_URL: url, DIRECT_URL: direct, CHANGE_FEED: feed }: Given): string[] {
  if (url === undefined || postgresUrlProblems(url).length > 0) return [];
  if (direct !== undefined)
    return postgresUrlProblems(direct).length > 0 || schemaOf(direct) === schemaOf(url)
      ? []
      : ['DIRECT_URL: names another schema than DATABASE_URL; give both the same parameter "schema"'];
  return /^(?:true|1)$/i.test(feed ?? '') && readPostgresUrl(url).pooler
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

function proxyProblems({ TRUSTED_PROXY: proxy, TRUSTED_PROXY_OPERATORS: operators }: Given): string[] {
  return operators !== undefined && proxy === undefined
    ? ['TRUSTED_PROXY_OPERATORS: needs TRUSTED_PROXY; set that too, or leave this out']
    : [];
}

function labelProblems(given: Given): string[] {
  return given.CLUSTER_COLOUR !== undefined && given.CLUSTER_NAME === undefined
    ? ['CLUSTER_COLOUR: needs CLUSTER_NAME; set that too, or leave this out']
    : [];
}

function alertProblems({ ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret }: Given): string[] {
  if ((url === undefined) === (secret === undefined)) return [];
  const missing = url === undefined ? 'ALERT_WEBHOOK_URL' : 'ALERT_WEBHOOK_SECRET';
  return [`${missing}: is missing; the address of a webhook and the key of its signatures belong together`];
}

function pictureProblems({
  DETECTION_PICTURES: place,
  DETECTION_PICTURES_MIB: size,
  DETECTION_HISTORY: history,
}: Given): string[] {
  if (place !== undefined && !/^(?:true|1)$/i.test(history ?? ''))
    return [
      'DETECTION_PICTURES: needs DETECTION_HISTORY=true, because pictures are deleted with stored detections',
    ];
  return size !== undefined && place === undefined
    ? ['DETECTION_PICTURES_MIB: needs DETECTION_PICTURES; set that too, or leave this out']
    : [];
}

function canaryProblems(given: Given): string[] {
  return given.MODEL_CANARY_TIME !== undefined && given.MODEL_CANARY_SHARE === undefined
    ? ['MODEL_CANARY_TIME: needs MODEL_CANARY_SHARE; set that too, or leave this out']
    : [];
}

function modelProblems(given: Given): string[] {
  const s3 = Object.keys(given).filter((name) => /^MODEL_S3_(?!.*_FILE$)/.test(name));
  if (given.MODEL_S3_BUCKET === undefined) {
    if (given.MODEL_BASE_URL === undefined) return ['MODEL_BASE_URL: set it, or MODEL_S3_BUCKET'];
    return s3.map((name) => `${name}: needs MODEL_S3_BUCKET; set that too, or leave this out`);
  }
  const problems: string[] = [];
  if (given.MODEL_BASE_URL !== undefined)
    problems.push('MODEL_BASE_URL: must not be set together with MODEL_S3_BUCKET');
  const [id, secret] = [given.MODEL_S3_ACCESS_KEY_ID, given.MODEL_S3_SECRET_ACCESS_KEY];
  const both = 'set both, or neither to use those of the environment';
  if (id !== undefined && secret === undefined)
    problems.push(`MODEL_S3_SECRET_ACCESS_KEY: is missing beside MODEL_S3_ACCESS_KEY_ID; ${both}`);
  if (id === undefined && secret !== undefined)
    problems.push(`MODEL_S3_ACCESS_KEY_ID: is missing beside MODEL_S3_SECRET_ACCESS_KEY; ${both}`);
  if (id === undefined && given.MODEL_S3_SESSION_TOKEN !== undefined)
    problems.push('MODEL_S3_SESSION_TOKEN: needs MODEL_S3_ACCESS_KEY_ID and MODEL_S3_SECRET_ACCESS_KEY');
  return problems;
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
  return given.DELIVERY_ACCEPTANCE_TIMEOUT !== undefined && replicas === undefined && fsync !== 'true'
    ? [
        'DELIVERY_ACCEPTANCE_TIMEOUT: needs DELIVERY_ACCEPTANCE_REPLICAS or DELIVERY_ACCEPTANCE_FSYNC; set one too, or leave this out',
      ]
    : [];
}

function workerProblems(given: Given): string[] {
  const { WORKER_TLS_CERT: cert, WORKER_TLS_KEY: key } = given;
  if ((cert === undefined) === (key === undefined)) return [];
  const missing = cert === undefined ? 'WORKER_TLS_CERT' : 'WORKER_TLS_KEY';
  return [`${missing}: is missing; certificate and key belong together`];
}
