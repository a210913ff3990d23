import { request } from '@detector-cluster/local-cluster';

/** Rounds for which a camera and its display stay. A round takes five changes. */
const STAYS = 4;
const TIMEOUT = 10_000;

/**
 * Changes of rows through the service, one after the other: the crop of a display that stays, a new camera, a new display for it, and
 * the removal of both some rounds later. No identifier comes twice, so that what is kept by identifier grows if it is never removed.
 */
export class RowChanges {
  done = 0;
  failed = 0;
  private next = 0;

  /** @param displays number of displays that stay: `display-1` … */
  constructor(private readonly displays: number) {}

  /** Makes one change through this backend. One that fails is counted, and is made again by the next call. */
  async change(url: string): Promise<void> {
    try {
      await this.make(url, this.next);
      this.next++;
      this.done++;
    } catch {
      this.failed++;
    }
  }

  private async make(url: string, n: number): Promise<void> {
    const send = (method: string, path: string, body?: object) =>
      request(url, method, `/api/${path}`, body, TIMEOUT);
    const round = Math.floor(n / 5);
    const old = round - STAYS;
    switch (n % 5) {
      case 0:
        return void (await send('PATCH', `displays/display-${1 + (round % this.displays)}`, crop(round)));
      case 1:
        return void (await send('PUT', 'cameras', { items: [camera(round)] }));
      case 2:
        return void (await send('PUT', 'displays', { items: [display(round)] }));
      case 3:
        return old < 0 ? undefined : remove(url, `displays/passing-${old}`);
      default:
        return old < 0 ? undefined : remove(url, `cameras/passing-${old}`);
    }
  }
}

const crop = (n: number) => ({ cropX1: 0, cropY1: 0, cropX2: 100 + (n % 1_000), cropY2: 100 });

const camera = (n: number) => ({ cameraIdentifier: `passing-${n}`, rtspUrl: `rtsp://10.0.0.2/${n}` });

const display = (n: number) => ({
  displayId: `passing-${n}`,
  cameraIdentifier: `passing-${n}`,
  playlistId: 1,
});

/** A repetition after a lost answer finds nothing to remove. */
async function remove(url: string, path: string): Promise<void> {
  await request(url, 'DELETE', `/api/${path}`, undefined, TIMEOUT).catch((error: Error) => {
    if (!error.message.includes(': 404 ')) throw error;
  });
}
