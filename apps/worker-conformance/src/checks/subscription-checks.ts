import { type Check, demand, skip } from '../check.js';

export const subscriptionChecks: readonly Check[] = [
  {
    id: 'subscribe',
    rule: 'a subscription is listed, and online when frames arrive',
    section: 'statereport',
    async play(master, worker) {
      await worker.running(master);
    },
  },
  {
    id: 'subscribe-again',
    rule: 'the same subscription again, with another modelUrl and fingerprint, disturbs no stream',
    section: 'subscribe',
    async play(master, worker) {
      const { subscription, undisturbed } = await worker.running(master);
      const again = { ...subscription, modelUrl: worker.modelUrl('model'), fingerprint: 'again' };
      master.want(again);
      await master.held(again);
      await undisturbed('the stream was opened again');
    },
  },
  {
    id: 'subscribe-other-url',
    rule: 'another rtspUrl of a camera restarts its stream, for all of its subscriptions',
    section: 'subscribe',
    async play(master, worker) {
      const { camera, subscription } = await worker.running(master);
      const other = worker.subscription(camera);
      master.want(subscription, other);
      await master.row('online', other, ({ online }) => online);
      const replacement = await worker.camera();
      const rtspUrl = replacement.url;
      master.want({ ...subscription, rtspUrl }, { ...other, rtspUrl });
      await worker.until('a stream from the new address', () => replacement.open > 0);
      await worker.until('the end of the stream from the former address', () => camera.open === 0);
      for (const each of [subscription, other]) await master.row('online', each, ({ online }) => online);
    },
  },
  {
    id: 'subscribe-other-model',
    rule: 'another modelId and modelName replace the subscription',
    section: 'subscribe',
    async play(master, worker) {
      const { subscription } = await worker.running(master);
      const modelId = subscription.modelId + 1;
      master.want({ ...subscription, modelId });
      await master.row(`listed with modelId ${modelId}`, subscription, (row) => row.modelId === modelId);
    },
  },
  {
    id: 'subscribe-other-version',
    rule: 'another modelVersion leaves the stream open',
    section: 'subscribe',
    async play(master, worker) {
      const { subscription, undisturbed } = await worker.running(master);
      master.want({ ...subscription, modelVersion: 'second' });
      await master.held(subscription);
      await undisturbed('the stream was opened again');
    },
  },
  {
    id: 'subscribe-other-crop',
    rule: 'another crop replaces the subscription',
    section: 'subscribe',
    async play(master, worker) {
      const subscription = worker.subscription(await worker.deadCamera());
      master.want({ ...subscription, cropX1: 0, cropY1: 0, cropX2: 320, cropY2: 240 });
      const { cropX2 } = await master.row('listed', subscription);
      if (typeof cropX2 !== 'number') skip('the worker does not report crops');
      master.want({ ...subscription, cropX1: 8, cropY1: 16, cropX2: 160, cropY2: 120 });
      await master.row(
        'listed with the new crop',
        subscription,
        (row) => [row.cropX1, row.cropY1, row.cropX2, row.cropY2].join() === '8,16,160,120',
      );
    },
  },
  {
    id: 'one-stream-per-camera',
    rule: 'subscriptions of one camera share one stream',
    section: 'subscribe',
    async play(master, worker) {
      const { camera, subscription, undisturbed } = await worker.running(master);
      const other = worker.subscription(camera);
      master.want(subscription, other);
      await master.row('online', other, ({ online }) => online);
      await undisturbed('a second stream of the camera was opened');
    },
  },
  {
    id: 'camera-id',
    rule: 'an identifier is split at its first semicolon',
    section: 'subscribe',
    async play(master, worker) {
      const [one, other] = [await worker.camera(), await worker.camera()];
      const subscriptions = [
        worker.subscription({ id: `left;${one.id}`, url: one.url }),
        worker.subscription({ id: `left;${one.id}`, url: one.url }),
        // Another camera, with the same name behind the last semicolon.
        worker.subscription({ id: `right;${one.id}`, url: other.url }),
      ];
      master.want(...subscriptions);
      for (const each of subscriptions) await master.row('online', each, ({ online }) => online);
      // A stream that was opened again is open beside the one before for a moment.
      await worker.until(
        () => `one stream of each camera: two cameras have ${one.open} and ${other.open} streams`,
        () => one.open === 1 && other.open === 1,
      );
    },
  },
  {
    id: 'stream-shared-ends',
    rule: 'the stream of a camera stays while one of its subscriptions is left',
    section: 'subscribe',
    async play(master, worker) {
      const { camera, subscription, undisturbed } = await worker.running(master);
      const other = worker.subscription(camera);
      master.want(subscription, other);
      await master.held(subscription, other);
      master.want(other);
      await master.held(other);
      await undisturbed('the stream has ended with one of its two subscriptions');
    },
  },
  {
    id: 'stream-ends',
    rule: 'the stream of a camera ends with its last subscription',
    section: 'subscribe',
    async play(master, worker) {
      const { camera } = await worker.running(master);
      master.want();
      await worker.until('the end of the stream', () => camera.open === 0);
    },
  },
  {
    id: 'camera-dead',
    rule: 'a camera that cannot be reached stays listed with online: false',
    section: 'subscribe',
    async play(master, worker) {
      const subscription = worker.subscription(await worker.deadCamera());
      master.want(subscription);
      await master.row('listed', subscription);
      const offline = () => master.reports.at(-1)!.cameraConnections.every(({ online }) => !online);
      await master.row('listed with online: false', subscription, ({ online }) => !online);
      demand(await worker.stays(offline), 'a camera at a port where nothing answers is online');
    },
  },
  {
    id: 'camera-lost',
    rule: 'a camera that stops is listed with online: false, and comes back by itself',
    section: 'subscribe',
    async play(master, worker) {
      const { camera, subscription } = await worker.running(master);
      camera.cut();
      await master.row('listed with online: false', subscription, ({ online }) => !online);
      camera.restore();
      await master.row('online again', subscription, ({ online }) => online);
    },
  },
  {
    id: 'scheme-unknown',
    rule: 'an address of an unknown kind is left out of reports',
    section: 'subscribe',
    async play(master, worker) {
      const fine = worker.subscription(await worker.deadCamera());
      const bad = worker.subscription({ id: worker.newName('camera'), url: 'file:///etc/hostname' });
      master.want(fine, bad);
      await master.held(fine);
    },
  },
  {
    id: 'commands-in-order',
    rule: 'commands are carried out in the order of their arrival, and a report shows all before it',
    section: 'requeststate',
    async play(master, worker) {
      const [first, second] = [await worker.deadCamera(), await worker.deadCamera()].map((dead) =>
        worker.subscription(dead),
      );
      for (let round = 0; round < 5; round++) {
        master.want(first!);
        master.want(second!);
        const before = master.reports.length;
        for (let i = 0; i < 3; i++) master.send({ type: 'requestState' });
        await worker.until('three reports', () => master.reports.length >= before + 3);
        // One of the three may be a regular one, from before the commands.
        const ids = master.reports.at(-1)!.cameraConnections.map((row) => row.subscriptionIdentifier);
        demand(
          ids.join() === second!.subscriptionIdentifier,
          `the report after the commands lists ${ids.length} subscriptions, not the last one alone`,
        );
      }
    },
  },
  {
    id: 'unsubscribe',
    rule: 'unsubscribe ends the subscription that it names, and no other',
    section: 'unsubscribe',
    needs: ['v1'],
    async play(master, worker) {
      const [gone, stays] = [await worker.deadCamera(), await worker.deadCamera()].map((dead) =>
        worker.subscription(dead),
      );
      master.want(gone!, stays!);
      await master.held(gone!, stays!);
      master.send({ type: 'unsubscribe', payload: { subscriptionIdentifier: gone!.subscriptionIdentifier } });
      await master.held(stays!);
    },
  },
  {
    id: 'unsubscribe-unknown',
    rule: 'unsubscribe of an unknown subscription is ignored',
    section: 'unsubscribe',
    needs: ['v1'],
    async play(master, worker) {
      const { subscription, undisturbed } = await worker.running(master);
      master.send({ type: 'unsubscribe', payload: { subscriptionIdentifier: 'never;there' } });
      await master.held(subscription);
      await undisturbed('another stream was disturbed');
    },
  },
  {
    id: 'fields-unknown',
    rule: 'unknown fields are ignored',
    section: 'what-is-invalid',
    async play(master, worker) {
      const subscription = worker.subscription(await worker.deadCamera());
      const later = { ...subscription, priorityOfLaterVersions: { nested: [1, null] } };
      master.want(later);
      await master.held(subscription);
    },
  },
];
