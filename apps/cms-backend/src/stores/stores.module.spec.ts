import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { APP_CONFIG } from '../config/app-config.js';
import { readConfig } from '../config/read-config.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { PRISMA } from './prisma-client.js';
import { StoresModule } from './stores.module.js';

/** Nothing listens there. */
const config = readConfig({
  DATABASE_URL: 'postgres://127.0.0.1:1/x',
  REDIS_URL: 'redis://127.0.0.1:1',
  MODEL_BASE_URL: 'http://127.0.0.1:1/models',
});

class ConfigModule {}

const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Instance: new (...of: object[]) => object };
};
const { Instance } = WebAssembly;
let compiled = 0;

class CountedInstance extends Instance {
  constructor(...of: object[]) {
    super(...of);
    compiled++;
  }
}

describe('StoresModule', () => {
  afterEach(() => {
    WebAssembly.Instance = Instance;
  });

  it('loads the query compiler at the start, also while the database does not answer', async () => {
    const provider = { provide: APP_CONFIG, useValue: config };
    const module = await Test.createTestingModule({
      imports: [
        { module: ConfigModule, global: true, providers: [provider], exports: [APP_CONFIG] },
        StoresModule,
      ],
    }).compile();
    WebAssembly.Instance = CountedInstance;
    const prisma = module.get<PrismaClient>(PRISMA);
    await expect(prisma.camera.findFirst()).rejects.toThrow("Can't reach database server");
    expect(compiled).toBe(0);
    await module.close();
  });
});
