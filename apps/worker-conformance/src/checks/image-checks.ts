import { type Check, demand, skip } from '../check.js';
import type { Picture } from '../stage/worker-under-test.js';

const MAX_BYTES = 10 * 1_048_576;

function demandJpeg({ body, type }: Picture): void {
  demand(type === 'image/jpeg', `the picture has the type ${type}`);
  demand(body.length <= MAX_BYTES, `the picture has ${body.length} bytes`);
  demand(body[0] === 0xff && body[1] === 0xd8, 'the picture is no JPEG');
}

export const imageChecks: readonly Check[] = [
  {
    id: 'image',
    rule: 'the worker gives the last frame of a camera as a JPEG of at most 10 MiB',
    section: 'camera-images',
    async play(master, worker) {
      const { subscription } = await worker.running(master);
      let status = 0;
      const response = await worker.until('a picture of a camera that is online', async () => {
        const answer = await worker.image(subscription);
        ({ status } = answer);
        return status === 404 ? false : answer;
      });
      demand(status === 200, `the request for a picture was answered with ${status}`);
      demandJpeg(response);
    },
  },
  {
    id: 'image-unknown',
    rule: 'there is no picture of an unknown subscription: 404',
    section: 'camera-images',
    async play(_master, worker) {
      const { status } = await worker.image({ subscriptionIdentifier: 'never;there' });
      demand(status === 404, `the request for a picture was answered with ${status}`);
    },
  },
  {
    id: 'image-offline',
    rule: 'there is no picture of a camera that is offline: 404',
    section: 'camera-images',
    async play(master, worker) {
      const { camera, subscription } = await worker.running(master);
      camera.cut();
      await master.row('listed with online: false', subscription, ({ online }) => !online);
      const { status } = await worker.image(subscription);
      demand(status === 404, `the request for a picture was answered with ${status}`);
    },
  },
  {
    id: 'image-picture',
    rule: 'a pictureId gives its picture, and one that was never given 404',
    section: 'camera-images',
    async play(master, worker) {
      const { subscription } = await worker.running(master);
      const { data } = await master.detection(subscription);
      const picture = data.detection?.pictureId;
      if (typeof picture !== 'string') skip('the worker gives no pictureId');
      const given = await worker.image(subscription, { picture });
      demand(given.status === 200, `the picture of a detection was answered with ${given.status}`);
      demandJpeg(given);
      const { status } = await worker.image(subscription, { picture: 'never-given.1' });
      demand(status === 404, `a pictureId that was never given was answered with ${status}`);
    },
  },
];
