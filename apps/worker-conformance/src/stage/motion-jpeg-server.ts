import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { grayJpeg } from '@detector-cluster/worker-protocol/internal';

const BLOCK = 8;
const COLUMNS = 80;
const ROWS = 60;
const SQUARE = 10;
const TOP = 25;
const FRAME_INTERVAL = 100;

/** Pixels of the camera's frame. */
export const FRAME = { width: COLUMNS * BLOCK, height: ROWS * BLOCK };

let drawn: readonly Buffer[] | undefined;

/** A white square that moves to the right over a pattern of tiles. */
function frames(): readonly Buffer[] {
  drawn ??= Array.from({ length: COLUMNS / 2 }, (_, frame) => {
    const left = 2 * frame;
    const rows = Array.from({ length: ROWS }, (_, y) =>
      Array.from({ length: COLUMNS }, (_, x) => {
        const inSquare = x >= left && x < left + SQUARE && y >= TOP && y < TOP + SQUARE;
        return inSquare ? 255 : ((x >> 2) + (y >> 2)) % 2 === 0 ? 60 : 90;
      }),
    );
    return grayJpeg(rows, 'a camera for conformance checks');
  });
  return drawn;
}

/** A camera over HTTP, as many have it: Motion JPEG without an end, 10 frames per second. */
export class MotionJpegServer {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<MotionJpegServer> {
    const pictures = frames();
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=frame' });
      let next = 0;
      const send = () => {
        const picture = pictures[next++ % pictures.length]!;
        // A viewer that does not read gets no more frames.
        if (response.writableNeedDrain) return;
        response.write(`--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${picture.length}\r\n\r\n`);
        response.write(picture);
        response.write('\r\n');
      };
      send();
      const timer = setInterval(send, FRAME_INTERVAL);
      response.on('close', () => clearInterval(timer));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new MotionJpegServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/camera`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
