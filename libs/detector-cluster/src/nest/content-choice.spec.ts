import { Test } from '@nestjs/testing';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ContentChoice, Screens } from './content-choice.fixture.js';
import { DetectorClusterTestingModule, FakeDetectorCluster } from './testing.js';

const subscriptionIdentifier = 'entrance;camera-001';

const read = (path: string) => readFile(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

it('decides by detections what a display shows, and counts each of them once', async () => {
  const shown: string[] = [];
  let failing = 1;
  const screens: Screens = {
    show: async (displayId, content) => {
      if (failing-- > 0) throw new Error('the display is off');
      shown.push(`${displayId}: ${content}`);
    },
  };
  const module = await Test.createTestingModule({
    imports: [DetectorClusterTestingModule.register()],
    providers: [ContentChoice, { provide: Screens, useValue: screens }],
  }).compile();
  const app = await module.init();
  const cluster = app.get(FakeDetectorCluster);

  const truck = { bodyType: 'Truck', carBrand: 'MAN' };
  const { detectionId } = await cluster.deliver({ subscriptionIdentifier, detection: truck });
  await cluster.deliver({ subscriptionIdentifier, detection: truck, detectionId });
  await cluster.deliver({ subscriptionIdentifier, detection: { carBrand: 'Fiat', carYear: 1999 } });
  await cluster.deliver({ subscriptionIdentifier, detection: { carBrand: 'Fiat' } });
  await cluster.deliver({ subscriptionIdentifier, detection: null });
  const aborted = await cluster.deliver({
    subscriptionIdentifier,
    detection: truck,
    signal: AbortSignal.abort(),
  });

  expect(shown).toEqual([
    'entrance: lorry-parking',
    'entrance: lorry-parking',
    'entrance: new-cars',
    'entrance: car-wash',
  ]);
  expect(aborted.errors).toHaveLength(4);
  expect(app.get(ContentChoice).carsByBrand).toEqual(
    new Map([
      ['MAN', 2],
      ['Fiat', 2],
    ]),
  );
  await app.close();
});

it('is the example of the recipes', async () => {
  const recipes = await read('../../../../docs/recipes.md');
  expect(recipes).toContain(await read('./content-choice.fixture.ts'));
});
