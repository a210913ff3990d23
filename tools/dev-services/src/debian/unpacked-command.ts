import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Command line that runs a program of an unpacked package with the C library and the libraries unpacked beside it instead of
 * the machine's.
 */
export function unpackedCommand(root: string, program: string): string[] {
  const folders = ['usr/lib', 'lib']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /-linux-gnu\w*$/.test(name))
        .map((name) => join(folder, name)),
    );
  const loader = folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .find((file) => /\/ld-linux[^/]*\.so[^/]*$/.test(file));
  if (!loader) throw new Error(`no loader for programs in ${root}`);
  return [loader, '--library-path', folders.join(':'), join(root, program)];
}
