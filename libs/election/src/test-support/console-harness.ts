import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { ConsoleElectionBackend } from '../backends/console/console-election-backend.js';
import type { ElectionHarness } from '../testing/election-harness.js';

interface Seat {
  readonly input: PassThrough;
  id: string;
  competes: boolean;
}

/** The arbiter of all consoles: reads their output, and types who leads. */
class Arbiter {
  private readonly seats: Seat[] = [];
  private leader: Seat | undefined;
  private term = 0;

  seat(): ConsoleElectionBackend {
    const input = new PassThrough();
    const output = new PassThrough();
    const seat: Seat = { input, id: '', competes: false };
    this.seats.push(seat);
    createInterface({ input: output }).on('line', (line) => this.read(seat, line));
    return new ConsoleElectionBackend({ input, output });
  }

  private read(seat: Seat, line: string): void {
    const [, id = '', what = ''] = /^(\S+) (competes|resigned|does not compete)/.exec(line) ?? [];
    if (what === 'competes') {
      seat.id = id;
      seat.competes = true;
      if (this.leader) this.inform(seat);
      else this.appoint(seat);
      return;
    }
    if (what === 'does not compete') seat.competes = false;
    if (seat !== this.leader) return;
    this.leader = undefined;
    const candidates = this.seats.filter(({ competes }) => competes);
    const next = candidates.find((other) => other !== seat) ?? candidates[0];
    if (next) this.appoint(next);
  }

  private appoint(leader: Seat): void {
    this.leader = leader;
    this.term++;
    leader.input.write(`LEADER ${this.term}\n`);
    for (const seat of this.seats) if (seat !== leader && seat.competes) this.inform(seat);
  }

  private inform(seat: Seat): void {
    seat.input.write(`notleader ${this.leader!.id} ${this.term}\n`);
  }
}

/** An election whose outcome an arbiter types into the console. */
export function consoleHarness(): ElectionHarness {
  const arbiter = new Arbiter();
  return {
    failoverWithin: 500,
    createBackend: () => arbiter.seat(),
    dispose: () => Promise.resolve(),
  };
}
