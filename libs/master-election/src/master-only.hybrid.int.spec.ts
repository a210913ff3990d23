import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { ClientProxyFactory, MessagePattern, Transport } from '@nestjs/microservices';
import { WsAdapter } from '@nestjs/platform-ws';
import { Test } from '@nestjs/testing';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { MasterElection, MasterOnly } from './index.js';
import { silentLogger } from './test-support/silent-logger.js';
import { FakeMasterElection, MasterElectionTestingModule } from './testing/index.js';

@Controller()
class Handlers {
  @Get('work')
  @MasterOnly()
  http(): string {
    return 'done';
  }

  @MessagePattern('work')
  @MasterOnly()
  rpc(): string {
    return 'done';
  }
}

@MasterOnly()
@WebSocketGateway({ path: '/work' })
class Gateway {
  @SubscribeMessage('work')
  ws(): { event: string; data: string } {
    return { event: 'work', data: 'done' };
  }
}

describe('MasterOnly in a hybrid application', () => {
  let app: INestApplication;
  let election: FakeMasterElection;
  let url: string;
  let port: number;

  beforeEach(async () => {
    const module = await Test.createTestingModule({
      imports: [MasterElectionTestingModule.register({ identifier: randomUUID() })],
      controllers: [Handlers],
      providers: [Gateway],
    })
      .setLogger(silentLogger)
      .compile();
    app = module.createNestApplication();
    app.useWebSocketAdapter(new WsAdapter(app));
    const microservice = app.connectMicroservice({
      transport: Transport.TCP,
      options: { port: 0, host: '127.0.0.1' },
    });
    await app.startAllMicroservices();
    ({ port } = microservice.unwrap<Server>().address() as AddressInfo);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    election = app.get(MasterElection);
  });
  afterEach(() => app.close());

  const http = () => fetch(`${url}/work`);
  const rpc = async (): Promise<unknown> => {
    const client = ClientProxyFactory.create({
      transport: Transport.TCP,
      options: { port, host: '127.0.0.1' },
    });
    try {
      return await lastValueFrom(client.send('work', {}));
    } catch (error) {
      return error;
    } finally {
      client.close();
    }
  };
  const ws = async (): Promise<unknown> => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/work`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ event: 'work', data: {} }));
    const [message] = (await once(socket, 'message')) as [Buffer];
    socket.close();
    return JSON.parse(message.toString());
  };

  it('throws the exception that each context passes on to the caller, with the id of the master', async () => {
    await election.followMaster('other');
    const { masterId } = election;
    expect(masterId).toMatch(/^other/);
    const problem = {
      code: 'NOT_MASTER',
      title: 'Not the master',
      status: 503,
      election: 'default',
      masterId,
    };
    const response = await http();
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject(problem);
    expect(await rpc()).toMatchObject(problem);
    expect(await ws()).toMatchObject({ event: 'exception', data: problem });
  });

  it('accepts calls on the master, but not while it is suspended', async () => {
    await election.becomeMaster();
    expect(await (await http()).text()).toBe('done');
    expect(await rpc()).toBe('done');
    expect(await ws()).toEqual({ event: 'work', data: 'done' });
    await election.suspend();
    expect((await http()).status).toBe(503);
    expect(await rpc()).toMatchObject({ code: 'NOT_MASTER', masterId: election.masterId });
    expect(await ws()).toMatchObject({ event: 'exception' });
  });
});
