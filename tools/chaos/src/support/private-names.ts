import { tempDirectory } from '@detector-cluster/dev-services';
import { execFile } from 'node:child_process';
import { open, type FileHandle, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotMountError } from './cannot-mount.error.js';

const run = promisify(execFile);

/** A reader of the file never sees a part of it: the whole is one write, always of this length. */
const LENGTH = 1_000;

/** Host names of single processes, without effect on the machine's: their own `/etc/hosts`. */
export class PrivateNames {
  private readonly addresses = new Map([['localhost', '127.0.0.1']]);

  private constructor(
    private readonly directory: string,
    private readonly file: FileHandle,
  ) {}

  /** @throws CannotMountError */
  static async create(): Promise<PrivateNames> {
    const directory = await tempDirectory('names');
    const names = new PrivateNames(directory, await open(hostsIn(directory), 'w'));
    await names.write();
    const [program, ...args] = names.prefix;
    try {
      await run(program!, [...args, 'true']);
    } catch (error) {
      await names.close();
      throw new CannotMountError({ cause: error });
    }
    return names;
  }

  /** Command that runs a program with these names, and becomes it. */
  get prefix(): readonly string[] {
    const script = 'mount --bind "$0" /etc/hosts && exec "$@"';
    return ['unshare', '--mount', 'sh', '-c', script, hostsIn(this.directory)];
  }

  async set(name: string, address: string): Promise<void> {
    this.addresses.set(name, address);
    await this.write();
  }

  async close(): Promise<void> {
    await this.file.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async write(): Promise<void> {
    const lines = [...this.addresses].map(([name, address]) => `${address} ${name}\n`);
    await this.file.write(lines.join('').padEnd(LENGTH, '\n'), 0);
  }
}

const hostsIn = (directory: string): string => join(directory, 'hosts');
