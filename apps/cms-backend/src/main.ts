import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { readConfig } from './config/read-config.js';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  // Loaded after the check of the configuration, so that an invalid configuration is reported at once.
  const { createApp, processIdOf, whenRefused } = await import('./create-app.js');
  const app = await createApp(config);
  whenRefused(app, () => void app.close().finally(() => process.exit(1)));
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  try {
    await app.listen(config.http.port, config.http.host);
  } catch (error) {
    // The election may have begun. Leave it, so that no other process waits for this one.
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ listening: port, processId: processIdOf(app) })}\n`);
}

main().catch((error: unknown) => {
  // An operator who has to correct a setting, or to start another version, does not need the stack.
  const isClear =
    error instanceof Error &&
    ('problems' in error || 'syscall' in error || error.name === 'FormatLevelError');
  console.error(isClear ? error.message : error);
  process.exit(1);
});
