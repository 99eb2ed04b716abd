/** Test bench: a painter with real stores and a real queue, and an engine with scripted responses. */
import { afterEach, beforeEach } from 'vitest';
import { labelPng } from '../../../packages/cutout/src/testing/label-png.ts';
import { makePlan } from '../../../packages/sets/src/testing/plans.ts';
import { createCutoutMaker } from '../../cutouts/make-cutout.ts';
import { noRecognizer, noWebp } from '../../cutouts/testing/no-recognizer.ts';
import { designBlobs } from '../../designs/design.ts';
import { type DesignHouse, openDesignHouse } from '../../designs/testing/design-house.ts';
import { resolveInput } from '../../tasks.ts';
import type { SceneIllustration } from '../illustration.ts';
import { createIllustrationStore } from '../illustration-store.ts';
import type { EngineCall } from '../painting/ask-engine.ts';
import type { PaintingVerdict } from '../painting/check-painting.ts';
import type { IllustrationEngine, IllustrationRequest } from '../painting/illustration-engine.ts';
import { createPainter, type PaintingLimits } from '../painting/paint-illustration.ts';
import { createPaintingStore } from '../painting/painting-store.ts';
import { describeScene } from '../painting/write-brief.ts';

export const place = { x: 0.3, y: 0.2, width: 0.4, height: 0.6 };
const subject = {
  boundingBox: { x: 0, y: 0, width: 1, height: 1 },
  coverage: 0.5,
  touchesEdges: [],
  confidence: 1,
  issues: [],
};
export const plan = makePlan('quiet-studio', { ratio: '4:5' });

/** Opens a `DesignHouse` with one design whose cutout is ready. */
async function openReadyHouse(): Promise<DesignHouse> {
  const house = await openDesignHouse();
  await house.insertDesign('dsg_a');
  await house.blobs.put(designBlobs.cutout('dsg_a'), labelPng('cutout'));
  await house.designs.markReady('dsg_a', { subject, product: undefined, cutoutVersion: 'test/1' });
  return house;
}

export interface Parts {
  readonly modes?: IllustrationEngine['modes'];
  readonly illustrate?: IllustrationEngine['illustrate'];
  readonly judge?: () => PaintingVerdict;
  /** Called before each blob is stored. */
  readonly onPut?: (key: string) => void;
  readonly limits?: Partial<PaintingLimits>;
  readonly normalize?: () => Promise<Uint8Array>;
}

export const answered = {
  bytes: Buffer.from('picture'),
  model: 'painter-1',
  seed: 9,
  costUsd: undefined,
  warnings: [],
};

async function openPainter(
  house: DesignHouse,
  { modes = ['scaffold-edit'], illustrate, judge, limits, normalize, onPut }: Parts = {},
) {
  const requests: IllustrationRequest[] = [];
  const calls: EngineCall[] = [];
  const verdicts: string[] = [];
  const clock = () => house.clock.now;
  const illustrations = createIllustrationStore(house.database, clock);
  const paintings = createPaintingStore(house.database, clock);
  const brief = describeScene({ plan, kind: 'Unknown', wish: 'a bit of mist' });
  const owner = { designId: 'dsg_a', accountId: 'acc_own' };
  const [illustration] = await illustrations.keepIllustrations(owner, [{ plan, brief }]);
  const painter = createPainter({
    engine: {
      id: 'fake',
      version: 'fake/1',
      modes,
      async illustrate(request) {
        requests.push(request);
        return illustrate ? illustrate(request) : answered;
      },
      close: async () => undefined,
    },
    paintings,
    illustrations,
    designs: house.designs,
    cutouts: createCutoutMaker({
      ...house,
      clock,
      cutting: {
        cutPhoto: async () => {
          throw new Error('unexpected call of cutPhoto: the cutouts are already stored');
        },
      },
      finish: async () => undefined,
      recognizer: noRecognizer,
      imaging: noWebp,
      onCut: () => undefined,
    }),
    blobs: {
      ...house.blobs,
      async put(key, bytes) {
        onPut?.(key);
        await house.blobs.put(key, bytes);
      },
    },
    queue: house.queue,
    notices: house.notices,
    imaging: {
      makeScaffold: async () => ({ picturePng: Buffer.from('p'), maskPng: Buffer.from('m'), place }),
      normalizePainting: normalize ?? (async (input) => resolveInput(input).bytes),
      judgePainting: async () => (judge ? judge() : { place, overlap: 0.99 }),
    },
    cutting: { predictMatte: async () => ({ width: 1, height: 1, data: new Uint8Array(1) }) },
    limits: { concurrency: 1, timeoutMs: 5_000, budgetUsd: null, priceUsd: null, ...limits },
    clock,
    onCall: (call) => calls.push(call),
    onVerdict: (_id, verdict) => verdicts.push(verdict),
  });
  painter.work();
  const scene = illustration as SceneIllustration;
  return { painter, paintings, illustrations, scene, requests, calls, verdicts };
}

async function paintOne(house: DesignHouse, parts: Parts = {}) {
  const opened = await openPainter(house, parts);
  await opened.painter.requestPaintings([opened.scene], 'key_a');
  const painting = await opened.painter.findPainting(opened.scene.id, 5_000, new AbortController().signal);
  return { ...opened, painting };
}

/** Before each test, opens a `DesignHouse` with one design whose cutout is ready; closes it after the test. */
export function usePainterBench() {
  let house: DesignHouse;
  beforeEach(async () => {
    house = await openReadyHouse();
  });
  afterEach(() => house.close());
  return {
    get house() {
      return house;
    },
    openPainter: (parts?: Parts) => openPainter(house, parts),
    paintOne: (parts?: Parts) => paintOne(house, parts),
  };
}
