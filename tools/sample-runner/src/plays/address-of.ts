import type { Replica } from '../stage/replica.js';
import type { SampleStage } from '../stage/sample-stage.js';

const ANSWERS = /^answers at (\S+)$/;

/** Waits until a replica has said where it answers. */
export async function addressOf(stage: SampleStage, replica: Replica): Promise<string> {
  const { text } = await stage.hears(
    `${replica.name} answers`,
    (line) => line.replica === replica && ANSWERS.test(line.text),
  );
  return ANSWERS.exec(text)![1]!;
}
