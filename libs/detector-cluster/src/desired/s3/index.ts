export type { S3ModelUrlOptions } from './s3-model-url-options.js';
export { S3ModelUrlProvider } from './s3-model-url-provider.js';
