import { tempDirectory } from '@detector-cluster/dev-services';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Builds of backends: each process is of the build that was chosen before it starts. */
export class ChosenBuilds {
  /** Script of the backends. Relative to the root of the repository. */
  readonly script = 'tools/chaos/dist/support/chosen-build.child.js';

  private constructor(private readonly directory: string) {}

  static async create(): Promise<ChosenBuilds> {
    return new ChosenBuilds(await tempDirectory('builds'));
  }

  /** Environment of the backends. */
  get env(): Readonly<Record<string, string>> {
    return { BUILDS: this.directory };
  }

  /** @param script relative to the root of the repository, or absolute */
  async choose(backend: string, script: string): Promise<void> {
    await writeFile(join(this.directory, backend), resolve(root, script));
  }

  async close(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}
