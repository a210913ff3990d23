import type { PrismaClient } from '../generated/prisma/client.js';

/** The file of a model, by the key that the database has at this moment. Rejects when the model is gone or cannot be read. */
export async function modelKey(prisma: PrismaClient, modelId: number): Promise<string> {
  const model = await prisma.model.findUnique({ where: { id: modelId }, select: { fileKey: true } });
  if (model === null) throw new Error(`there is no model ${modelId}`);
  return model.fileKey;
}
