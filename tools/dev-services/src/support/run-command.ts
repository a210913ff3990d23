import { execFile } from 'node:child_process';

/** Options of {@link runCommand}. */
export interface RunOptions {
  /** Milliseconds before the command is killed; 60,000 by default. */
  timeout?: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Returns the standard output of a command. Rejects with its error output if it fails. The command cannot prompt. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { timeout = 60_000 } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      {
        encoding: 'utf8',
        timeout,
        maxBuffer: 64 * 1024 * 1024,
        ...(options.env && { env: options.env }),
        ...(options.cwd && { cwd: options.cwd }),
      },
      (error, stdout, stderr) => {
        if (!error) {
          resolve(stdout);
          return;
        }
        const said = error.killed ? `it did not end within ${timeout} ms` : error.message;
        reject(new Error(`${file} ${args.join(' ')} failed: ${stderr.trim() || said}`, { cause: error }));
      },
    );
    child.stdin?.end();
  });
}
