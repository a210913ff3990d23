import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseSampleOptions, type SampleOptions, samples } from './samples.js';
import { SampleStage } from './sample-stage.js';

function readOptions(): SampleOptions {
  try {
    return parseSampleOptions(process.argv.slice(2), samples);
  } catch (error) {
    process.stderr.write(`sample: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

const { sample, smoke } = readOptions();
const { folder, postgres } = sample;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stop.abort(new Error(`ended by ${signal}`)));

// With --smoke, standard output contains only the result.
const out = smoke ? process.stderr : process.stdout;
let stage: SampleStage | undefined;
try {
  stage = await SampleStage.open({
    directory: fileURLToPath(new URL(`../../../samples/${folder}`, import.meta.url)),
    postgres,
    signal: stop.signal,
    print: (line) => void out.write(`${line}\n`),
  });
  const figures = await sample.play(stage);
  const result = JSON.stringify({ sample: folder, ...figures });
  if (smoke) process.stdout.write(`${result}\n`);
  else {
    stage.say(result);
    stage.say('running until Ctrl-C');
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
  }
  process.exitCode = figures.ok ? 0 : 1;
} catch (error) {
  // If the user ends the sample early, that error is expected.
  const wanted = stop.signal.aborted && !smoke;
  const message = (error as Error).message;
  if (!wanted) process.stderr.write(`sample: ${message}\n`);
  if (smoke) process.stdout.write(`${JSON.stringify({ sample: folder, ok: false, error: message })}\n`);
  process.exitCode = wanted ? 0 : 1;
} finally {
  await stage?.close();
}
