import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../tools/history/dist/main.js', import.meta.url));

/** What `tools/history` says about a file. */
export interface HistoryAnswer {
  readonly file: string;
  readonly ok: boolean;
  readonly broken?: readonly string[];
  readonly violations?: readonly { readonly what: string }[];
  readonly svg?: string;
}

/** Checks histories with the command. */
export function checkAgain(...files: readonly string[]): Promise<HistoryAnswer[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [main, ...files], { maxBuffer: 1e8 }, (error, output) => {
      const lines = output.split('\n').filter((line) => line !== '');
      // It exits with 1 if a promise is broken.
      if (error !== null && lines.length === 0) reject(error);
      else resolve(lines.map((line) => JSON.parse(line) as HistoryAnswer));
    });
  });
}
