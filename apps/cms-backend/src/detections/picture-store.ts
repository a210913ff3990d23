import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { S3ModelUrlOptions } from '@detector-cluster/detector-cluster/s3';

/** A directory that all processes share, or a bucket; `prefix` precedes the keys of its objects. */
export type PicturePlace =
  { readonly directory: string } | { readonly bucket: string; readonly prefix: string };

/** Region, endpoint and credentials of a bucket; what is missing, the AWS SDK looks for in its usual places. */
export type BucketOptions = Omit<S3ModelUrlOptions, 'bucket' | 'key' | 'expiresIn'>;

/** Keeps pictures under names of letters and digits. */
export interface PictureStore {
  put(name: string, picture: Buffer): Promise<void>;
  /** Null: there is none. */
  get(name: string): Promise<Buffer | null>;
  /** Does nothing if there is none. */
  remove(name: string): Promise<void>;
}

/** Pictures in a directory that all processes share. */
class DirectoryPictures implements PictureStore {
  constructor(private readonly directory: string) {}

  async put(name: string, picture: Buffer): Promise<void> {
    const path = this.pathOf(name);
    const unfinished = `${path}.${process.pid}`;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, picture, { mode: 0o600 });
    await rename(unfinished, path);
  }

  get(name: string): Promise<Buffer | null> {
    return readFile(this.pathOf(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  }

  remove(name: string): Promise<void> {
    return rm(this.pathOf(name), { force: true });
  }

  /** Some programs are slow in directories with very many files. */
  private pathOf(name: string): string {
    return join(this.directory, name.slice(0, 2), `${name}.jpg`);
  }
}

export async function openPictures(place: PicturePlace, s3: BucketOptions): Promise<PictureStore> {
  if ('directory' in place) return new DirectoryPictures(place.directory);
  const { S3Pictures } = await import('./s3-pictures.js');
  return new S3Pictures(place, s3);
}
