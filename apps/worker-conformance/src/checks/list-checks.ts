import { type Check, demand } from '../check.js';

export const listChecks: readonly Check[] = [
  {
    id: 'list-replaces',
    rule: 'a list ends what it does not name, starts what is new, and leaves the rest alone',
    section: 'setsubscriptionlist',
    needs: ['v2'],
    async play(master, worker) {
      const [stays, goes] = [await worker.camera(), await worker.camera()];
      const [kept, ended] = [worker.subscription(stays), worker.subscription(goes)];
      master.want(kept, ended);
      for (const each of [kept, ended]) await master.row('online', each, ({ online }) => online);
      const { opened } = stays;
      const fresh = worker.subscription(await worker.deadCamera());
      master.want({ ...kept, modelUrl: worker.modelUrl('model') }, fresh);
      await master.held(kept, fresh);
      await worker.until('the end of the stream that the list leaves out', () => goes.open === 0);
      demand(
        await worker.stays(() => stays.opened === opened && stays.open > 0),
        'the stream of an entry that has not changed was opened again',
      );
    },
  },
  {
    id: 'list-without-payload',
    rule: 'a list is also accepted beside type, without payload',
    section: 'setsubscriptionlist',
    needs: ['v2'],
    async play(master, worker) {
      const subscription = worker.subscription(await worker.deadCamera());
      master.socket.send(JSON.stringify({ type: 'setSubscriptionList', subscriptions: [subscription] }));
      await master.held(subscription);
    },
  },
  {
    id: 'list-unknown-fields',
    rule: 'a list with unknown fields beside its subscriptions is accepted',
    section: 'what-is-invalid',
    needs: ['v2'],
    async play(master, worker) {
      const subscription = worker.subscription(await worker.deadCamera());
      const payload = { subscriptions: [subscription], fieldOfLaterVersions: 1 };
      master.socket.send(JSON.stringify({ type: 'setSubscriptionList', payload, another: [] }));
      await master.held(subscription);
      demand(master.isOpen, `the connection was closed with ${master.closed?.code}`);
    },
  },
];
