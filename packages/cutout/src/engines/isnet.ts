/** The default removal engine: IS-Net general-use (Qin et al. 2022, arXiv 2203.03041) on ONNX Runtime. */

import type { Matte, RgbImage, Size } from 'packshot-pixels';
import type { InferenceSession } from '../onnxruntime.ts';
import type { RemovalEngine, Resolution } from '../removal-engine.ts';
import { resizePhoto } from '../steps/shrink-photo.ts';
import { reserveArena } from './isnet-arena.ts';
import { openIsnetSession } from './isnet-session.ts';
import { ISNET_SHA256 } from './isnet-weights.ts';
import type { OnnxSessionSettings } from './onnx-session.ts';
import { makeInputTensor, runNetwork } from './onnx-tensors.ts';
import { openRenewable } from './renewable-session.ts';

/**
 * Side of the square network input, in pixels; for `shaped`, which keeps the photo's shape, the longer side. `full` is
 * the size used in training. At `coarse`, the network still finds most products.
 */
const SIDES_PX = { full: 1024, shaped: 1024, reduced: 640, coarse: 512 } as const;
/**
 * Side of the input of the trial run at startup on a CPU, in pixels. That run only shows that the network works, and
 * takes 10 ms. Other devices choose and compile their programs during the trial run, so there it has the size of a
 * coarse pass.
 */
const SMALLEST_PX = 64;
/** Duration of a coarse pass as a fraction of a full one; the same on one thread and on two. */
const COARSE_SHARE = 0.28;

/** The network halves its input six times, so each side is a multiple of this. */
const STEP_PX = 64;
/** An 8-bit input value is normalized to `(value - 128) / 256`. */
const [MEAN, STD] = [128 / 255, 256 / 255];
const NORMAL = { mean: [MEAN, MEAN, MEAN], std: [STD, STD, STD] } as const;
/**
 * The network's soft edges extend too far outward: pixels with an alpha of 1 to 12 % almost never belong to
 * the subject. Setting the alpha of these pixels to 0 reduced the mean alpha error near edges from .0706 to .066 on 50
 * rendered photos with exact mattes. A threshold above 60 starts to remove wires.
 */
const CLEAR_BELOW = 30;
const SOLID_FROM = 250;

/** Resolves once the engine is loaded and warmed up. */
export async function openIsnet(settings: OnnxSessionSettings): Promise<RemovalEngine> {
  const { memory, provider = 'cpu' } = settings;
  const hasArena = memory !== 'small';
  const session = await openRenewable(
    () => openIsnetSession(settings),
    async (opened) => {
      if (hasArena && provider === 'cpu') await reserveArena(opened);
    },
  );
  // On a GPU, the first run of each input size prepares programs for that size, which takes longer than a pass. So only
  // a CPU gets inputs in the shape of the photo, whose sizes differ from photo to photo.
  const keepsShape = provider === 'cpu';
  const findSize = (picture: Size, resolution: Resolution): Size => {
    if (resolution === 'shaped' && keepsShape) return fitShape(picture);
    const side = SIDES_PX[resolution];
    return { width: side, height: side };
  };
  const side = provider === 'cpu' ? SMALLEST_PX : SIDES_PX.coarse;
  await infer(await session.get(), { width: side, height: side, data: new Uint8Array(3 * side ** 2) });
  return {
    id: 'isnet',
    version: `isnet-${ISNET_SHA256.slice(0, 12)}-3`,
    resolutions: {
      coarseShare: COARSE_SHARE,
      measureShapedShare(picture) {
        const { width, height } = findSize(picture, 'shaped');
        return (width * height) / SIDES_PX.full ** 2;
      },
    },
    async predictMatte(source, { signal, resolution = 'full' }) {
      const size = findSize(source, resolution);
      signal.throwIfAborted();
      // Stretched, not letterboxed, because stretching gave slightly better mattes.
      const picture = await resizePhoto(source, size);
      signal.throwIfAborted();
      const output = await infer(await session.get(), picture);
      signal.throwIfAborted();
      return makeMatte(output, size);
    },
    // Without the arena, runs leave no memory behind that `rest` could free.
    ...(hasArena && { rest: () => session.renew() }),
    async close() {
      await session.close();
    },
  };
}

/** The size of the network input in a `shaped` pass. Each side is rounded up to a multiple of `STEP_PX`. */
function fitShape({ width, height }: Size): Size {
  const scale = SIDES_PX.shaped / Math.max(width, height) / STEP_PX;
  return { width: Math.ceil(width * scale) * STEP_PX, height: Math.ceil(height * scale) * STEP_PX };
}

async function infer(session: InferenceSession, picture: RgbImage): Promise<Float32Array> {
  const tensor = makeInputTensor(picture, 'float32', NORMAL);
  return (await runNetwork(session, { name: 'input', tensor }, 'output')).data as Float32Array;
}

/** Scales the network's output to an alpha of 0 to 255; values near either end become exactly 0 or 255. */
function makeMatte(output: Float32Array, size: Size): Matte {
  const data = new Uint8Array(output.length);
  const scale = 255 / (SOLID_FROM - CLEAR_BELOW);
  for (let i = 0; i < output.length; i++) {
    data[i] = Math.round(Math.min(255, Math.max(0, (output[i]! * 255 - CLEAR_BELOW) * scale)));
  }
  return { ...size, data };
}
