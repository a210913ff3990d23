import { hasStrayAt, isRedacted, REDACTED, redactCameraUrl } from '@detector-cluster/detector-cluster/redact';
import { NetworkPolicy } from '@detector-cluster/detector-cluster/validation';
import { z } from 'zod';
import type { Camera } from '../generated/prisma/client.js';
import {
  checkCrop,
  checkCropChange,
  checkNotEmpty,
  cropInput,
  cropOutput,
  identifierField,
  identifierParam,
  withInstants,
} from '../http/fields.js';
import { containing, listQuerySchema, textFilter } from '../http/pagination.js';
import { etagField, versionFields } from './entries.schema.js';
import type { EntryKind } from './entry-kind.js';

const MAX_LENGTH = 4096;

/** A URL of one of the given protocols that may carry credentials. */
function urlField(...protocols: string[]) {
  const expected = protocols.map((protocol) => `${protocol}//`).join(', ');
  return z
    .string('must be a string')
    .max(MAX_LENGTH, `must be at most ${MAX_LENGTH} characters`)
    .superRefine((value, context) => {
      const problem = urlProblem(value, protocols, expected);
      if (problem !== null) context.addIssue(problem);
    });
}

function urlProblem(value: string, protocols: string[], expected: string): string | null {
  if (/[\s\p{Cc}\p{Cs}]/u.test(value)) return 'must not contain spaces or control characters';
  if (isRedacted(value))
    return `has ${REDACTED} in place of a secret, as this service returns it: leave the field out to keep what is stored, or send the URL with its secret (a literal ${REDACTED} as %2A%2A%2A)`;
  if (hasStrayAt(value))
    return 'has "@" after the host: percent-encode reserved characters in the password (/ as %2F, ? as %3F, # as %23, @ as %40)';
  if (!URL.canParse(value)) return `must be a URL that starts with ${expected}`;
  const { protocol, hostname } = new URL(value);
  return protocols.includes(protocol) && hostname !== ''
    ? null
    : `must be a URL that starts with ${expected}`;
}

const DAY = 86_400_000;

const fields = {
  cameraIdentifier: identifierField().meta({ examples: ['cam-001'] }),
  rtspUrl: urlField('rtsp:', 'rtsps:', 'http:', 'https:').meta({
    examples: ['rtsp://user:password@192.0.2.10:554/stream1'],
  }),
  snapshotUrl: urlField('http:', 'https:').nullish(),
  snapshotInterval: z
    .int('must be a whole number')
    .min(100, 'must be at least 100 (milliseconds)')
    .max(DAY, `must be at most ${DAY} (milliseconds)`)
    .nullish()
    .meta({ description: 'Milliseconds' }),
  ...cropInput,
};

/** The cameras. Their URLs must be in the networks that the configuration allows, because workers connect to each of them. */
export const cameraKind: EntryKind<Camera> = {
  name: 'camera',
  pathKey: 'cameraIdentifier',
  pathSchema: identifierParam,
  nameKey: 'cameraIdentifier',
  references: [],
  users: { kind: 'display', field: 'cameraIdentifier', nameKey: 'displayId' },
  toView: ({ id: _id, ...camera }) => ({
    ...withInstants(camera),
    rtspUrl: redactCameraUrl(camera.rtspUrl),
    snapshotUrl: camera.snapshotUrl === null ? null : redactCameraUrl(camera.snapshotUrl),
  }),
  where: ({ text = '' }: { text?: string }) => ({ cameraIdentifier: containing(text) }),
  check({ cluster }) {
    const policy = NetworkPolicy.of(cluster.networks, []);
    return (camera: Partial<Pick<Camera, 'rtspUrl' | 'snapshotUrl'>>) =>
      (['rtspUrl', 'snapshotUrl'] as const).flatMap((field) => {
        const url = camera[field] ?? null;
        const detail = url === null ? null : policy.problemOf(url);
        return detail === null ? [] : [{ pointer: `#/${field}`, detail }];
      });
  },
  schemas: {
    view: z
      .object({
        cameraIdentifier: z.string(),
        rtspUrl: z.string().meta({ description: 'Possible secrets are replaced with ***' }),
        snapshotUrl: z.string().nullable().meta({ description: 'Possible secrets are replaced with ***' }),
        snapshotInterval: z.int().nullable().meta({ description: 'Milliseconds' }),
        ...cropOutput,
        ...versionFields,
      })
      .meta({ id: 'Camera' }),
    create: z.strictObject(fields).superRefine(checkCrop).meta({ id: 'CreateCamera' }),
    update: z
      .strictObject(fields)
      .partial()
      .superRefine(checkNotEmpty)
      .superRefine(checkCropChange)
      .meta({ id: 'UpdateCamera' }),
    put: z
      .strictObject({ ...fields, rtspUrl: fields.rtspUrl.optional(), etag: etagField.optional() })
      .superRefine(checkCropChange)
      .meta({
        id: 'PutCamera',
        description: 'A new camera needs `rtspUrl`; leave it out to keep the stored URL',
      }),
    query: listQuerySchema(['cameraIdentifier', 'createdAt', 'updatedAt'], {
      text: textFilter.meta({ description: 'Only cameras with this text in their identifier' }),
    }),
  },
};
