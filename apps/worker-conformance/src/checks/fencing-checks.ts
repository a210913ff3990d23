import { CloseCode } from '@detector-cluster/worker-protocol';
import { type Check, demand } from '../check.js';

const OPEN_AT_ONCE = 10;

const INVALID_TERMS = ['', 'abc', '-1', '1.5', '0x10', '1e3', '12345678901234567'];

export const fencingChecks: readonly Check[] = [
  {
    id: 'term-invalid',
    rule: 'a term that is no decimal integer of up to 16 digits is refused with 400',
    section: 'connection',
    async run(worker) {
      for (const term of INVALID_TERMS) {
        const { refused } = await worker.dial({ term });
        demand(refused === 400, `the term ${JSON.stringify(term)} was answered with ${refused ?? 101}`);
      }
    },
  },
  {
    id: 'term-lower',
    rule: 'a term below the highest is refused with 409, also if it is lower by 1',
    section: 'connection',
    async run(worker) {
      await worker.connect({ term: worker.nextTerm() });
      const { refused } = await worker.dial({ term: worker.currentTerm - 1 });
      demand(refused === 409, `the lower term was answered with ${refused ?? 101}`);
    },
  },
  {
    id: 'term-missing',
    rule: 'after a term, a connection without one is refused with 409',
    section: 'connection',
    async run(worker) {
      await worker.connect({ term: worker.nextTerm() });
      const { refused } = await worker.dial({ term: null });
      demand(refused === 409, `the upgrade without a term was answered with ${refused ?? 101}`);
    },
  },
  {
    id: 'term-remembered',
    rule: 'the worker remembers the highest term when all connections have closed',
    section: 'connection',
    async run(worker) {
      const master = await worker.connect({ term: worker.nextTerm() });
      master.socket.close();
      await worker.until('the close', () => master.closed !== undefined);
      const { refused } = await worker.dial({ term: worker.currentTerm - 1 });
      demand(refused === 409, `the lower term was answered with ${refused ?? 101}`);
    },
  },
  {
    id: 'term-higher',
    rule: 'a higher term closes the connections of lower ones with 4409',
    section: 'connection',
    async run(worker) {
      const former = [await worker.connect({ term: worker.nextTerm() }), await worker.connect()];
      await worker.connect({ term: worker.nextTerm() });
      for (const each of former) {
        const { code } = await worker.until('the close of a superseded connection', () => each.closed);
        demand(code === CloseCode.Superseded, `the superseded connection was closed with ${code}`);
      }
    },
  },
  {
    id: 'term-superseded-commands',
    rule: 'commands of a superseded connection are not carried out',
    section: 'connection',
    async play(former, worker) {
      // It does not see the close frame, so it continues to send.
      former.socket.pause();
      const next = await worker.takeOver();
      former.want(worker.subscription(await worker.deadCamera()));
      await worker.stays(() => true);
      const { cameraConnections } = await next.report('a state report', () => true);
      demand(
        cameraConnections.length === 0,
        'the worker holds a subscription that a superseded master has sent',
      );
    },
  },
  {
    id: 'term-equal',
    rule: 'connections with the same term stay open side by side',
    section: 'connection',
    async run(worker) {
      const masters = [await worker.connect({ term: worker.nextTerm() }), await worker.connect()];
      const open = await worker.stays(() => masters.every(({ isOpen }) => isOpen));
      demand(open, 'one of two connections with the same term was closed');
      for (const master of masters) await master.report('a state report on each connection', () => true);
    },
  },
  {
    id: 'term-many-connections',
    rule: `a higher term is admitted beside ${OPEN_AT_ONCE} connections that do not close`,
    section: 'connection',
    async run(worker) {
      worker.nextTerm();
      for (let i = 0; i < OPEN_AT_ONCE; i++) (await worker.connect()).socket.pause();
      await worker.connect({ term: worker.nextTerm() });
    },
  },
];
