import { PrismaDesiredSource } from '@detector-cluster/detector-cluster/prisma';

/** Its displays as a desired state, which notes how long each read of everything takes. */
export class TimedSource extends PrismaDesiredSource {
  /** Milliseconds. */
  readonly durations: number[] = [];

  override async *read(): ReturnType<PrismaDesiredSource['read']> {
    const began = performance.now();
    yield* super.read();
    this.durations.push(performance.now() - began);
  }
}
