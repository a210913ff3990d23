import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { readConfig } from './config/read-config.js';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  // Loaded after the check of the configuration, so that an invalid configuration is reported at once.
  const { createApp, processIdOf } = await import('./create-app.js');
  const app = await createApp(config);
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
  // An operator who has to correct a setting does not need the stack.
  const isSetting = error instanceof Error && ('problems' in error || 'syscall' in error);
  console.error(isSetting ? error.message : error);
  process.exit(1);
});
