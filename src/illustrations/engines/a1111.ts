/**
 * Illustration engine adapter for a Stable Diffusion web UI: AUTOMATIC1111, Forge or SD.Next, started with
 * `--api`. One POST returns the finished picture.
 *
 * Protocol: modules/api/api.py and modules/api/models.py of AUTOMATIC1111/stable-diffusion-webui. The API's interrupt
 * call stops whatever is running. So on a shared server, aborting our request can cancel another user's picture.
 */
import { z } from 'zod';
import { callRemote, postJson, sendBestEffort, urlBelow } from '../../remote/remote-call.ts';
import type { RemoteSettings, RemoteTarget } from '../../remote/remote-target.ts';
import type {
  Illustrated,
  IllustrationEngine,
  IllustrationRequest,
} from '../painting/illustration-engine.ts';
import { checkPicture, hashSettings, requireScaffold } from './adapter-parts.ts';
import { ANY_MODEL_PX, fitFrame } from './engine-frame.ts';
import { fitScaffold } from './fit-scaffold.ts';

export interface A1111Settings extends RemoteSettings {
  /** http or https, without `/sdapi` and without a user name. */
  readonly url: string;
  /** Title or name of a checkpoint; default: the checkpoint that the server has loaded. */
  readonly checkpoint?: string;
  /** Number of sampling steps, 1 to 150. */
  readonly steps: number;
  /** Scale of classifier-free guidance, 1 to 30; distilled and FLUX checkpoints need 1. */
  readonly cfgScale: number;
  /** How much an edit changes our composite, 0 to 1. */
  readonly denoisingStrength: number;
  /** Longer side of the picture in pixels, 256 to 2,048; Stable Diffusion 1.5 needs 768, SDXL 1,024. */
  readonly longSidePx: number;
  /** Sent with each request and redacted from errors: `Authorization: Basic …` for a server with `--api-auth`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The web UI's default blur radius of the mask's edge, in pixels. The product later covers the blurred edge. */
const MASK_BLUR_PX = 4;

const answerSchema = z.looseObject({ images: z.array(z.string()).min(1), info: z.string().default('{}') });
const infoSchema = z.looseObject({
  seed: z.number().optional().catch(undefined),
  sd_model_name: z.string().optional().catch(undefined),
});

export async function openA1111(settings: A1111Settings): Promise<IllustrationEngine> {
  const { url, checkpoint, steps, cfgScale, denoisingStrength, longSidePx, headers } = settings;
  const target = { ...settings, url: new URL(url), secrets: Object.values(headers) };
  const cancellations = new Set<Promise<unknown>>();
  const hash = hashSettings([url, checkpoint, steps, cfgScale, denoisingStrength, longSidePx]);
  return {
    id: 'a1111',
    version: `a1111-${hash}-2`,
    modes: ['scaffold-edit', 'plate-only'],
    illustrate: (request) => illustrate(request, settings, target, cancellations),
    close: async () => void (await Promise.allSettled(cancellations)),
  };
}

async function illustrate(
  request: IllustrationRequest,
  settings: A1111Settings,
  target: RemoteTarget,
  cancellations: Set<Promise<unknown>>,
): Promise<Illustrated> {
  request.signal.throwIfAborted();
  const { path, body } = await makeCall(request, settings);
  const answer = await callRemote(target, request.signal, async (call) => {
    const onEnd = () => {
      const init = postJson({}, settings.headers);
      const cancellation = sendBestEffort(urlBelow(target.url, '/sdapi/v1/interrupt'), init);
      cancellations.add(cancellation);
      void cancellation.then(() => cancellations.delete(cancellation));
    };
    call.signal.addEventListener('abort', onEnd, { once: true });
    const response = await call.fetch(urlBelow(target.url, path), postJson(body, settings.headers));
    return answerSchema.parse(await response.json());
  });
  const info = readInfo(answer.info);
  // Some forks prepend a data URL prefix.
  const base64 = answer.images[0]!.replace(/^data:[^,]*,/, '');
  return {
    bytes: checkPicture(new Uint8Array(Buffer.from(base64, 'base64'))),
    model: info.sd_model_name ?? settings.checkpoint ?? 'a1111',
    seed: info.seed ?? request.seed,
    costUsd: undefined,
    warnings: [],
  };
}

async function makeCall(request: IllustrationRequest, settings: A1111Settings) {
  const { checkpoint } = settings;
  const frame = fitFrame(request.canvas, settings.longSidePx, ANY_MODEL_PX);
  const shared = {
    prompt: request.brief.prompt,
    negative_prompt: request.brief.negativePrompt,
    seed: request.seed,
    ...frame,
    steps: settings.steps,
    cfg_scale: settings.cfgScale,
    ...(checkpoint !== undefined && { override_settings: { sd_model_checkpoint: checkpoint } }),
    batch_size: 1,
    n_iter: 1,
    send_images: true,
    save_images: false,
  };
  if (request.mode === 'plate-only') return { path: '/sdapi/v1/txt2img', body: shared };
  const { picturePng, maskPng } = await fitScaffold(requireScaffold(request), frame, 'gray');
  return {
    path: '/sdapi/v1/img2img',
    body: {
      ...shared,
      init_images: [Buffer.from(picturePng).toString('base64')],
      mask: Buffer.from(maskPng).toString('base64'),
      denoising_strength: settings.denoisingStrength,
      // Repaints the white area, starting from its existing pixels. The whole picture is processed, at its own size.
      inpainting_mask_invert: 0,
      inpainting_fill: 1,
      inpaint_full_res: false,
      mask_blur: MASK_BLUR_PX,
      resize_mode: 0,
      include_init_images: false,
    },
  };
}

/** `info` is a JSON string inside the JSON response. A valid picture may come without it. */
function readInfo(text: string): z.infer<typeof infoSchema> {
  try {
    return infoSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
