import { tempDirectory } from '@detector-cluster/dev-services';
import { execFile } from 'node:child_process';
import { type FileHandle, open, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotMountError } from './cannot-mount.error.js';

const run = promisify(execFile);

/** What the file system gives out at a time. */
const PAGE = Buffer.alloc(4_096);

/**
 * A file system of its own in memory that can be filled. It has no name besides the open directory, so that it disappears with this
 * process, however that ends.
 */
export class SmallDisk {
  private constructor(private readonly handle: FileHandle) {}

  /** @throws CannotMountError */
  static async create(megabytes: number): Promise<SmallDisk> {
    const directory = await tempDirectory('disk');
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory]);
    } catch (error) {
      await rmdir(directory);
      throw new CannotMountError({ cause: error });
    }
    const handle = await open(directory, 'r');
    await run('umount', ['--lazy', directory]);
    await rmdir(directory);
    return new SmallDisk(handle);
  }

  /** Path for processes of this machine. */
  get path(): string {
    return `/proc/${process.pid}/fd/${this.handle.fd}`;
  }

  /** Leaves no byte. */
  async fill(): Promise<void> {
    const filler = await open(this.filler, 'a');
    try {
      for (;;) await filler.write(PAGE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await filler.close();
    }
  }

  /** Gives back what {@link fill} took. */
  async free(): Promise<void> {
    await rm(this.filler, { force: true });
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private get filler(): string {
    return join(this.path, 'filler');
  }
}
