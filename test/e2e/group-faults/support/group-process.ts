import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Grant } from '@detector-cluster/election/testing';
import { endChild } from '../../../support/end-child.js';

const script = fileURLToPath(new URL('../../../support/dist/group-child.js', import.meta.url));

export interface MemberState {
  readonly id: number | null;
  readonly leader: number | null;
  readonly members: number[];
  readonly address: string;
  readonly mayAct: boolean;
  /** Messages so far. */
  readonly sent: number;
  readonly connections: number;
}

/** A process with members of a group. It ends when this one does. */
export class GroupProcess {
  readonly grants: { -readonly [Key in keyof Grant]: Grant[Key] }[] = [];
  readonly lost: { term: number; reason: string; at: number }[] = [];
  /** The last that it said of its members. */
  states: MemberState[] = [];
  frozen = false;
  ended = false;
  errors = '';
  private readonly child: ChildProcess;

  constructor(settings: { redis: string; key: string; count: number; options: object }) {
    this.child = spawn(process.execPath, [script, JSON.stringify(settings)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdin!.on('error', () => undefined);
    this.child.stderr!.on('data', (text: Buffer) => (this.errors += String(text)));
    this.child.once('exit', () => (this.ended = true));
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.hear(JSON.parse(line)));
  }

  get mayAct(): boolean {
    return this.states.some(({ mayAct }) => mayAct);
  }

  /** Its only member. */
  get member(): MemberState | undefined {
    return this.states[0];
  }

  ask(): void {
    this.send({ command: 'status' });
  }

  /** Nothing gets to these addresses any more, or to all again. */
  cut(addresses: readonly string[]): void {
    this.send({ command: 'cut', ports: addresses.map((address) => Number(address.split(':').at(-1))) });
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    if (signal === 'SIGKILL') this.ended = true;
    this.child.kill(signal);
  }

  freeze(): void {
    this.frozen = true;
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.frozen = false;
    this.child.kill('SIGCONT');
  }

  stop(): Promise<void> {
    return endChild(this.child);
  }

  private send(command: object): void {
    this.child.stdin!.write(`${JSON.stringify(command)}\n`);
  }

  private hear(line: Record<string, unknown>): void {
    if (line.kind === 'status') this.states = line.members as MemberState[];
    else if (line.kind === 'granted') this.grants.push(line as unknown as Grant);
    else if (line.kind === 'lost') {
      const loss = line as unknown as { term: number; reason: string; at: number };
      this.lost.push(loss);
      for (const grant of this.grants)
        if (grant.term === loss.term) grant.validUntil = Math.min(grant.validUntil, loss.at);
    }
  }
}
