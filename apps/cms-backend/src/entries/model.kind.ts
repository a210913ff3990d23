import { z } from 'zod';
import type { Model } from '../generated/prisma/client.js';
import { checkNotEmpty, idParam, nameField, textField, withInstants } from '../http/fields.js';
import { containing, listQuerySchema, textFilter } from '../http/pagination.js';
import { putByIdOrName, versionFields } from './entries.schema.js';
import type { EntryKind } from './entry-kind.js';

const fields = {
  name: nameField().meta({ examples: ['us-lpr'] }),
  fileKey: textField(1024)
    .regex(/^[^\s?#]+$/, 'must be an object key or path: not empty, no spaces, "?" or "#"')
    .refine((key) => !key.split('/').includes('..'), 'must not contain ".." as a segment')
    .meta({ description: 'Object key or path of the file in the model store', examples: ['us-lpr.mpta'] }),
};

export const modelKind: EntryKind<Model> = {
  name: 'model',
  pathKey: 'id',
  pathSchema: idParam,
  nameKey: 'name',
  references: [],
  users: { kind: 'playlist', field: 'modelId', nameKey: 'name' },
  toView: withInstants,
  where: ({ text = '' }: { text?: string }) => ({ name: containing(text) }),
  schemas: {
    view: z
      .object({ id: z.int(), name: z.string(), fileKey: z.string(), ...versionFields })
      .meta({ id: 'Model', description: 'A detection model: a file that workers download' }),
    create: z.strictObject(fields).meta({ id: 'CreateModel' }),
    update: z.strictObject(fields).partial().superRefine(checkNotEmpty).meta({ id: 'UpdateModel' }),
    put: putByIdOrName('PutModel', fields),
    query: listQuerySchema(['name', 'createdAt', 'updatedAt'], {
      text: textFilter.meta({ description: 'Only models with this text in their name' }),
    }),
  },
};
