import { type Check, demand } from '../check.js';

const refuses = (status: number | undefined) => status === 401 || status === 403;

export const tokenChecks: readonly Check[] = [
  {
    id: 'token',
    rule: 'a master without the token is refused with 401 or 403',
    section: 'connection',
    needs: ['token'],
    async run(worker) {
      worker.nextTerm();
      for (const authorization of [undefined, 'Bearer wrong', `Basic ${worker.options.token}`]) {
        const { refused } = await worker.dial({ authorization });
        demand(
          refuses(refused),
          `the upgrade with ${authorization ?? 'no token'} was answered with ${refused ?? 101}`,
        );
      }
    },
  },
  {
    id: 'token-image',
    rule: 'a request for a picture without the token is refused with 401 or 403',
    section: 'connection',
    needs: ['token'],
    async play(master, worker) {
      const { subscription } = await worker.running(master);
      const { status } = await worker.image(subscription, { authorization: null });
      demand(refuses(status), `the request without a token was answered with ${status}`);
    },
  },
];
