import { runCli } from './run-cli.js';

// A reader of the pipe may end early, e.g. `head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
process.exitCode = await runCli(process.argv.slice(2), {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
});
