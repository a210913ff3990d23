import type { AppProcess } from './app-process.js';

/** What each of the processes logged last, for people who look for a cause. @param characters at most, of each */
export async function endsOfLogs(apps: readonly AppProcess[], characters = 6_000): Promise<string> {
  const texts = await Promise.all(
    apps.map(async (app) => `--- ${app.name}\n${(await app.log().catch(String)).slice(-characters)}`),
  );
  return texts.join('\n');
}
