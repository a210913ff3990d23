import { readFileSync } from 'node:fs';
import { MasterElection } from '@detector-cluster/master-election';
import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { displays } from './displays.js';
import { WallStore } from './wall.store.js';

const page = readFileSync(new URL('../public/display.html', import.meta.url), 'utf8');

@Controller()
export class WallController {
  constructor(
    private readonly election: MasterElection,
    private readonly store: WallStore,
  ) {}

  /** The page of a display. Other files in `public` are served as they are. */
  @Get('displays/:display')
  @Header('Content-Type', 'text/html; charset=utf-8')
  display(@Param('display') display: string): string {
    if (!displays.has(display)) throw new NotFoundException(`there is no display ${display}`);
    return page;
  }

  /** The overview, the same on every replica. `replica` is null while no page shows the display. */
  @Get('wall')
  async wall() {
    const [holders, processes] = await Promise.all([this.store.holders(), this.election.getAllProcesses()]);
    const nameOf = (processId: string | undefined) =>
      processes.find((process) => process.processId === processId)?.identifier ?? null;
    return {
      replicas: processes.map(({ identifier, role }) => ({ name: identifier, role })),
      displays: [...displays].map(([display, cameras]) => ({
        display,
        cameras,
        replica: nameOf(holders.get(display)?.processId),
      })),
    };
  }
}
