import type { AppProcess } from './app-process.js';

/** The last log lines of each process, to help find a cause. @param characters at most this many of each */
export async function endsOfLogs(apps: readonly AppProcess[], characters = 6_000): Promise<string> {
  const texts = await Promise.all(
    apps.map(async (app) => `--- ${app.name}\n${(await app.log().catch(String)).slice(-characters)}`),
  );
  return texts.join('\n');
}
