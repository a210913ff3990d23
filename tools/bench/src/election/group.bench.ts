import { SimulatedGroup } from '@detector-cluster/group-membership/testing';

const SIZES = [5, 20, 50];
const DETECTORS = ['swim', 'round-robin'] as const;
const KILLS = 3;
/** Simulated. Milliseconds. */
const STEADY = 10_000;
const LOSSY = 60_000;
const BLOCK = 2_000;

/**
 * Measures the failure detectors of a group in virtual time, so that the machine does not matter: messages per member per second,
 * how long after a death the first and all members detect it, and how many live members were considered dead. This happens while
 * 5 % of the messages are lost, and while the event loop of each of five members in turn is blocked for 2 s.
 */
export async function groupBench() {
  const detectors: Record<string, Record<string, object>> = {};
  for (const detector of DETECTORS) {
    const figures: Record<string, object> = (detectors[detector] = {});
    for (const size of SIZES) figures[size] = await measure(detector, size);
  }
  return { bench: 'group', pingCycleMs: 1_000, failureThreshold: 5, detectors };
}

async function measure(detector: (typeof DETECTORS)[number], size: number) {
  const group = new SimulatedGroup(size);
  await group.start(size, { detector });
  const { clock } = group;
  let falsely = 0;
  for (const { member } of group.members) member.on('left', () => falsely++);

  // All members have joined, and all news has spread.
  await clock.advance(5_000);
  const before = group.delivered;
  await clock.advance(STEADY);
  const messages = ((group.delivered - before) / size / STEADY) * 1_000;

  for (const each of group.members.slice(0, 5)) {
    each.freeze();
    await clock.advance(BLOCK);
    each.thaw();
    await clock.advance(BLOCK);
  }
  const falselyWhenBlocked = falsely;

  group.loss = 0.05;
  await clock.advance(LOSSY);
  group.loss = 0;
  const falselyUnderLoss = falsely - falselyWhenBlocked;
  await clock.until('all agree', 120_000, () => group.agreed());

  const [first, all]: number[][] = [[], []];
  for (let kill = 0; kill < Math.min(KILLS, size - 2); kill++) {
    const victim = group.living.find((each) => each !== group.leader)!;
    const id = victim.id!;
    victim.kill();
    const killedAt = clock.now();
    const knows = ({ member }: (typeof group.living)[number]) => member.memberOf(id)?.status === 'failed';
    await clock.until('one member knows', 60_000, () => group.living.some(knows));
    first!.push(clock.now() - killedAt);
    await clock.until('all know', 60_000, () => group.living.every(knows));
    all!.push(clock.now() - killedAt);
  }
  return {
    messagesPerMemberPerSecond: Math.round(messages * 10) / 10,
    detectionMs: Math.max(...first!),
    detectionByAllMs: Math.max(...all!),
    falselyFailedUnderLoss: falselyUnderLoss,
    falselyFailedWhenBlocked: falselyWhenBlocked,
  };
}
