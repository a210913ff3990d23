/** Four nullable columns; a crop is set if any of them is set. */
interface CropColumns {
  readonly cropX1: number | null;
  readonly cropY1: number | null;
  readonly cropX2: number | null;
  readonly cropY2: number | null;
}

/** A display with all columns that determine its subscription: the result of {@link displaySelect}. */
export interface DisplayRow extends CropColumns {
  readonly displayId: string;
  readonly createdAt: Date | string;
  readonly camera:
    | (CropColumns & {
        readonly cameraIdentifier: string;
        readonly rtspUrl: string;
        readonly snapshotUrl: string | null;
        /** Milliseconds. */
        readonly snapshotInterval: number | null;
      })
    | null;
  readonly playlist: { readonly model: { readonly id: number; readonly name: string } | null } | null;
}

const crop = { cropX1: true, cropY1: true, cropX2: true, cropY2: true } as const;

/** The columns of a {@link DisplayRow}, as a Prisma `select`. */
export const displaySelect = {
  displayId: true,
  createdAt: true,
  ...crop,
  camera: {
    select: {
      cameraIdentifier: true,
      rtspUrl: true,
      snapshotUrl: true,
      snapshotInterval: true,
      ...crop,
    },
  },
  playlist: { select: { model: { select: { id: true, name: true } } } },
} as const;
