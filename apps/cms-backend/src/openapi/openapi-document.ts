import { STATUS_CODES } from 'node:http';
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { PROBLEM_CONTENT_TYPE, problemSchema } from '../http/problem.js';
import { z } from 'zod';
import type { DescribedRoute } from './described-route.js';

const ifMatch = z
  .string()
  .optional()
  .meta({
    param: { in: 'header', name: 'If-Match' },
    description: 'ETag of the version that is to be changed, or *; otherwise 412',
  });

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({
    param: { in: 'header', name: 'Idempotency-Key' },
    description: 'The same request with the same key is carried out once within 24 h; a UUID, for example',
  });

/** The content of an answer that is a file. */
const file = z.any().meta({ override: { type: 'string', format: 'binary' } });

/** The OpenAPI 3.1 document of the given routes, from the schemas that validate requests and responses. */
export function createOpenApiDocument(
  routes: readonly DescribedRoute[],
  version: string,
): oas31.OpenAPIObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'cms-backend',
      version,
      description: 'Cameras, displays, playlists and models, and the detector cluster that runs them',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'Required if the service has API keys; a key with the role `read` can only read',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key' },
      },
    },
  });
}

function operation(route: DescribedRoute): ZodOpenApiOperationObject {
  const { body, params, query } = route;
  return {
    operationId: route.operationId,
    summary: route.operation.summary,
    tags: [route.tag],
    security: route.operation.isPublic === true ? [] : [{ apiKey: [] }, { bearer: [] }],
    // Path parameters accept every stored value. The schemas of the bodies define which identifiers can be written.
    parameters: [
      ...Object.entries(params).map(([name, schema]) => schema.meta({ param: { in: 'path', name } })),
      ...(route.operation.conditional === true ? [ifMatch] : []),
      ...(route.method === 'get' ? [] : [idempotencyKey]),
    ],
    ...(query === undefined ? {} : { requestParams: { query } }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: { 'application/json': { schema: body } },
          },
        }),
    responses: responses(route),
  };
}

function responses({ status, method, operation, body, query, params }: DescribedRoute) {
  const { produces = 'application/json' } = operation;
  const answer = operation.answer ?? (operation.produces === undefined ? null : file);
  const success = answer === null ? {} : { content: { [produces]: { schema: answer } } };
  const common =
    operation.isPublic === true ? [] : method === 'get' ? [401, 429, 503] : [401, 403, 409, 422, 429, 503];
  const conditional = operation.conditional === true ? [412] : [];
  const checked = query !== undefined || Object.keys(params).length > 0 ? [422] : [];
  const parsed = body === undefined ? [] : [400, 413, 415, 422];
  const all = [...common, ...conditional, ...checked, ...parsed, ...(operation.problems ?? [])];
  const problemStatuses = [...new Set(all)].sort((a, b) => a - b);
  return Object.fromEntries([
    ...[status, ...(operation.sameSchemaOn ?? [])].map((code) => [
      code,
      { description: title(code), ...success },
    ]),
    ...problemStatuses.map((code) => [
      code,
      { description: title(code), content: { [PROBLEM_CONTENT_TYPE]: { schema: problemSchema } } },
    ]),
  ]);
}

function title(status: number): string {
  return STATUS_CODES[status] ?? String(status);
}
