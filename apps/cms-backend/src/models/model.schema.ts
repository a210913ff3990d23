import { z } from 'zod';
import { checkNotEmpty, idField, instantField, nameField, textField } from '../http/fields.js';
import { checkNamed, etagField, putRequestSchema } from '../entries/entries.schema.js';
import { listQuerySchema, pageSchema, textFilter } from '../http/pagination.js';

const fields = {
  name: nameField().meta({ examples: ['us-lpr'] }),
  fileKey: textField(1024)
    .regex(/^[^\s?#]+$/, 'must be an object key or path: not empty, no spaces, "?" or "#"')
    .refine((key) => !key.split('/').includes('..'), 'must not contain ".." as a segment')
    .meta({ description: 'Object key or path of the file in the model store', examples: ['us-lpr.mpta'] }),
};

export const createModelSchema = z.strictObject(fields).meta({ id: 'CreateModel' });

export const updateModelSchema = z
  .strictObject(fields)
  .partial()
  .superRefine(checkNotEmpty)
  .meta({ id: 'UpdateModel' });

const putModelSchema = z
  .strictObject({ ...fields, id: idField(), etag: etagField })
  .partial()
  .superRefine(checkNamed)
  .meta({
    id: 'PutModel',
    description: 'Named by `id`, or else by `name`; with an `id`, `name` is its new name',
  });

export const putModelsSchema = putRequestSchema('PutModelsRequest', putModelSchema);

export const modelsQuerySchema = listQuerySchema(['name', 'createdAt', 'updatedAt'], {
  text: textFilter.meta({ description: 'Only models with this text in their name' }),
});

export const modelSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    fileKey: z.string(),
    createdAt: instantField,
    updatedAt: instantField,
    etag: etagField,
  })
  .meta({ id: 'Model', description: 'A detection model: a file that workers download' });

export const modelPageSchema = pageSchema('ModelPage', modelSchema);

export type CreateModel = z.infer<typeof createModelSchema>;
export type UpdateModel = z.infer<typeof updateModelSchema>;
export type PutModels = z.infer<typeof putModelsSchema>;
export type ModelsQuery = z.infer<typeof modelsQuerySchema>;
export type ModelView = z.infer<typeof modelSchema>;
