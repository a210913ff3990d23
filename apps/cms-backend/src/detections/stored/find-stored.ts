import type { PrismaClient, StoredDetection } from '../../generated/prisma/client.js';
import type { Page } from '../../http/pagination.js';
import { problems } from '../../http/problem/problems.js';
import { labelKey } from './detection-row.js';
import type { StoredDetectionView, StoredQuery } from './stored-detection.schema.js';

/** Detections of all processes, newest first: in the reverse order in which the database got them. */
export async function findStored(
  prisma: Pick<PrismaClient, 'storedDetection'>,
  { camera, label, from, to, limit, cursor }: StoredQuery,
): Promise<Page<StoredDetectionView>> {
  const rows = await prisma.storedDetection.findMany({
    where: {
      ...(camera !== undefined && { cameraIdentifier: camera }),
      ...(label !== undefined && { labelKey: { contains: labelKey(label) } }),
      ...((from ?? to) !== undefined && {
        detectedAt: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) },
      }),
      ...(cursor !== undefined && { id: { lt: decodeCursor(cursor) } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return {
    items: kept.map(toView),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  };
}

function toView({
  id: _id,
  labelKey: _key,
  cameraIdentifier: _camera,
  ...row
}: StoredDetection): StoredDetectionView {
  return {
    ...row,
    boxes: row.boxes as number[][],
    detectedAt: row.detectedAt.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
  };
}

/** The same form as the cursors of the other lists, whose ids are shorter. */
function encodeCursor(id: bigint): string {
  return Buffer.from(`id:${id}`).toString('base64url');
}

function decodeCursor(cursor: string): bigint {
  const match = /^id:(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (match === null)
    throw problems.validation([
      { parameter: 'cursor', detail: 'must be a cursor that this service returned' },
    ]);
  return BigInt(match[1]!);
}
