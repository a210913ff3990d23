type Given = Readonly<Record<string, string | undefined>>;

/** What concerns several variables, each problem by the name of one of them. */
export function combinationProblems(given: Given): string[] {
  return [...redisProblems(given), ...modelProblems(given), ...workerProblems(given)];
}

function redisProblems(given: Given): string[] {
  if (given.REDIS_URL === undefined)
    return given.REDIS_HOST === undefined ? ['REDIS_URL: set it, or REDIS_HOST'] : [];
  return ['REDIS_HOST', 'REDIS_PORT', 'REDIS_PASSWORD']
    .filter((name) => given[name] !== undefined)
    .map((name) => `${name}: must not be set together with REDIS_URL`);
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

function workerProblems(given: Given): string[] {
  const { WORKER_TLS_CERT: cert, WORKER_TLS_KEY: key } = given;
  if ((cert === undefined) === (key === undefined)) return [];
  const missing = cert === undefined ? 'WORKER_TLS_CERT' : 'WORKER_TLS_KEY';
  return [`${missing}: is missing; certificate and key belong together`];
}
