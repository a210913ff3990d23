import { BOOT_PATTERN } from '@detector-cluster/worker-protocol';
import { type Check, demand, skip } from '../check.js';
import type { DialOptions, MasterConnection } from '../stage/master-connection.js';
import type { WorkerUnderTest } from '../stage/worker-under-test.js';

/** A master with three detections, which it has not confirmed. */
async function withDetections(worker: WorkerUnderTest, options: Partial<DialOptions> = {}) {
  const master = await worker.takeOver({ accepts: false, ...options });
  const { boot } = master;
  if (boot === undefined) skip('the worker does not number its detections');
  const { subscription } = await worker.running(master);
  await worker.until('three detections', () => master.detectionsOf(subscription).length >= 3);
  return { master, boot, subscription };
}

/** What the next connection gets first. */
async function next(
  worker: WorkerUnderTest,
  former: MasterConnection,
  count: number,
): Promise<MasterConnection> {
  await former.read();
  former.socket.terminate();
  const master = await worker.connect({ term: worker.nextTerm(), accepts: false });
  await worker.until(`${count} detections on the next connection`, () => master.detections.length >= count);
  return master;
}

export const numberingChecks: readonly Check[] = [
  {
    id: 'numbered-boot',
    rule: 'the boot is 8 to 32 letters and digits, the same in each upgrade and each detection',
    section: 'numbered-detections',
    async run(worker) {
      const { boot, master } = await withDetections(worker);
      demand(BOOT_PATTERN.test(boot), `the boot is ${JSON.stringify(boot)}`);
      const again = await worker.connect();
      demand(again.boot === boot, `the boot was ${boot}, then ${again.boot}`);
      const odd = master.detections.find((each) => each.boot !== boot || each.seq === undefined);
      demand(odd === undefined, `a detection has boot ${odd?.boot} and seq ${odd?.seq}`);
    },
  },
  {
    id: 'numbered-rising',
    rule: 'seq counts the detections of all subscriptions, rising by 1',
    section: 'numbered-detections',
    async run(worker) {
      const { master, subscription } = await withDetections(worker);
      const other = worker.subscription(await worker.camera());
      master.want(subscription, other);
      for (const each of [other, subscription, other]) await master.detection(each);
      const numbers = master.detections.map(({ seq }) => seq!);
      const wrong = numbers.findIndex((seq, i) => i > 0 && seq !== numbers[i - 1]! + 1);
      demand(wrong < 0, `after seq ${numbers[wrong - 1]} came ${numbers[wrong]}`);
    },
  },
  {
    id: 'numbered-again',
    rule: 'detections that were not confirmed come first on the next connection, unchanged',
    section: 'numbered-detections',
    async run(worker) {
      const { master } = await withDetections(worker);
      const kept = master.detectionFrames.map(({ text }) => text);
      const { detectionFrames } = await next(worker, master, kept.length);
      demand(
        kept.every((text, i) => text === detectionFrames[i]!.text),
        'the next connection did not begin with the detections that were not confirmed, unchanged and in order',
      );
    },
  },
  {
    id: 'numbered-confirmed',
    rule: 'detections that were confirmed are not sent again',
    section: 'numbered-detections',
    async run(worker) {
      const { boot, master } = await withDetections(worker);
      const { seq } = master.detections.at(-2)!;
      master.accept(boot, seq!);
      const { detections } = await next(worker, master, 1);
      demand(
        detections[0]!.seq! > seq!,
        `seq ${detections[0]!.seq} came again after ${seq} had been confirmed`,
      );
    },
  },
  {
    id: 'numbered-other-boot',
    rule: 'confirmations with another boot are ignored',
    section: 'numbered-detections',
    async run(worker) {
      const { master } = await withDetections(worker);
      const first = master.detections[0]!.seq;
      master.accept('otherboot0000000', master.detections.at(-1)!.seq!);
      const { detections } = await next(worker, master, 1);
      demand(detections[0]!.seq === first, 'the worker obeyed a confirmation with another boot');
    },
  },
  {
    id: 'numbered-without-confirms',
    rule: 'what was written to a master that does not confirm counts as confirmed',
    section: 'numbered-detections',
    async run(worker) {
      const { master } = await withDetections(worker, { confirms: false });
      const { seq } = master.detections.at(-1)!;
      const { detections } = await next(worker, master, 1);
      demand(detections[0]!.seq! > seq!, `seq ${detections[0]!.seq} was sent again`);
    },
  },
];
