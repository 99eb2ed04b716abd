/**
 * Illustration engine adapter for a ComfyUI server, with a workflow that the operator has exported. Uploads our
 * composite and its mask, queues the workflow, waits, and fetches the first saved picture.
 *
 * Protocol: server.py and execution.py of comfyanonymous/ComfyUI, and docs.comfy.org, development/comfyui-server/comms_routes. Uploaded files stay on the server, because the API has no
 * call to delete them.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { callRemote, postJson, type RemoteCall, sendBestEffort, urlBelow } from '../../remote/remote-call.ts';
import { RemoteFailure } from '../../remote/remote-failure.ts';
import type { RemoteSettings, RemoteTarget } from '../../remote/remote-target.ts';
import { cleanWords } from '../../remote/server-words.ts';
import type {
  Illustrated,
  IllustrationEngine,
  IllustrationRequest,
} from '../painting/illustration-engine.ts';
import { checkPicture, hashSettings } from './adapter-parts.ts';
import { type ApiWorkflow, readWorkflow, type Workflow } from './comfyui-workflow.ts';
import { fitFrame } from './engine-frame.ts';
import { fitScaffold } from './fit-scaffold.ts';

export interface ComfyuiSettings extends RemoteSettings {
  /** http or https, without a user name. Ends with `/api` if a proxy forwards only that path. */
  readonly url: string;
  /** Path of a workflow in ComfyUI's API format. */
  readonly workflowFile: string;
  /** Sent with each request and redacted from errors. */
  readonly headers: Readonly<Record<string, string>>;
  /** The longer of %width% and %height%, 256 to 2,048 px; Stable Diffusion 1.5 needs 768, SDXL and FLUX 1,024. */
  readonly longSidePx: number;
}

/** Picture sides must be multiples of 8: latents have an eighth of the picture's resolution. */
const MULTIPLE_PX = 8;
const POLL_MS = 1_000;
/** Subfolder of ComfyUI's input folder; the name tells operators where the files come from. */
const SUBFOLDER = 'packshot';

const queuedSchema = z.looseObject({ prompt_id: z.string(), node_errors: z.unknown() });
const uploadedSchema = z.looseObject({ name: z.string(), subfolder: z.string().default('') });
const pictureSchema = z.looseObject({
  filename: z.string(),
  subfolder: z.string().default(''),
  type: z.string().default('output'),
});
const historySchema = z.record(
  z.string(),
  z.looseObject({
    outputs: z
      .record(z.string(), z.looseObject({ images: z.array(z.unknown()).optional().catch(undefined) }))
      .default({}),
    status: z
      .looseObject({ status_str: z.string().default(''), messages: z.array(z.unknown()).default([]) })
      .optional(),
  }),
);
type Finished = z.infer<typeof historySchema>[string];
const queueSchema = z.looseObject({ queue_running: z.array(z.array(z.unknown())) });
const errorMessageSchema = z.tuple([
  z.literal('execution_error'),
  z.looseObject({ node_type: z.string().default(''), exception_message: z.string().default('') }),
]);

interface Setup {
  readonly settings: ComfyuiSettings;
  readonly target: RemoteTarget;
  readonly workflow: Workflow;
  /** Cancellation requests that have not ended yet. */
  readonly cancellations: Set<Promise<unknown>>;
}

/** Reads the workflow, but does not contact the server, which may start later. */
export async function openComfyui(settings: ComfyuiSettings): Promise<IllustrationEngine> {
  const workflow = await readWorkflow(settings.workflowFile);
  const target = { ...settings, url: new URL(settings.url), secrets: Object.values(settings.headers) };
  const setup: Setup = { settings, target, workflow, cancellations: new Set() };
  const hash = hashSettings([settings.url, workflow.hash, settings.longSidePx]);
  return {
    id: 'comfyui',
    version: `comfyui-${hash}-1`,
    modes: workflow.modes,
    illustrate: (request) => illustrate(request, setup),
    close: async () => void (await Promise.allSettled(setup.cancellations)),
  };
}

async function illustrate(request: IllustrationRequest, setup: Setup): Promise<Illustrated> {
  request.signal.throwIfAborted();
  const { settings, target, workflow } = setup;
  const frame = fitFrame(request.canvas, settings.longSidePx, MULTIPLE_PX);
  const scaffold = request.scaffold && (await fitScaffold(request.scaffold, frame, 'gray-and-clear'));
  const bytes = await callRemote(target, request.signal, async (call) => {
    const nodes = workflow.fill({
      prompt: request.brief.prompt,
      negative: request.brief.negativePrompt,
      seed: request.seed,
      ...frame,
      image: workflow.has('image') ? await upload(scaffold?.picturePng, 'picture', setup, call) : '',
      mask: workflow.has('mask') ? await upload(scaffold?.maskPng, 'mask', setup, call) : '',
    });
    return run(nodes, setup, call);
  });
  return {
    bytes: checkPicture(bytes),
    model: workflow.model,
    seed: workflow.has('seed') ? request.seed : undefined,
    costUsd: undefined,
    warnings: listMissing(workflow),
  };
}

function listMissing({ has }: Workflow): string[] {
  const seedless = 'The workflow has no %seed%: the same seed does not give the same picture.';
  const positive = 'The workflow has no %negative%: the negative prompt is not used.';
  return [...(has('seed') ? [] : [seedless]), ...(has('negative') ? [] : [positive])];
}

/** Returns the name under which LoadImage and LoadImageMask find the file. */
async function upload(
  png: Uint8Array | undefined,
  what: string,
  { target, settings }: Setup,
  call: RemoteCall,
): Promise<string> {
  if (png === undefined)
    throw new RemoteFailure('refused', `The ComfyUI workflow needs a ${what}, but the request has none.`);
  const form = new FormData();
  // The name is unique, so that concurrent pictures do not overwrite each other's files.
  form.append('image', new Blob([new Uint8Array(png)], { type: 'image/png' }), `${randomUUID()}-${what}.png`);
  form.append('type', 'input');
  form.append('subfolder', SUBFOLDER);
  form.append('overwrite', 'true');
  const url = urlBelow(target.url, '/upload/image');
  const response = await call.fetch(url, { method: 'POST', headers: settings.headers, body: form });
  const { name, subfolder } = uploadedSchema.parse(await response.json());
  return subfolder === '' ? name : `${subfolder}/${name}`;
}

async function run(nodes: ApiWorkflow, setup: Setup, call: RemoteCall): Promise<Uint8Array> {
  const { target, settings } = setup;
  const { headers } = settings;
  // Newer servers accept an ID chosen by the client, so the prompt can be canceled before the server has acknowledged
  // it.
  let id: string = randomUUID();
  let mayRun = true;
  const stop = () => {
    if (!mayRun) return;
    mayRun = false;
    const cancellation = stopPrompt(id, setup).finally(() => setup.cancellations.delete(cancellation));
    setup.cancellations.add(cancellation);
  };
  call.signal.addEventListener('abort', stop, { once: true });
  try {
    const body = postJson({ prompt: nodes, prompt_id: id }, headers);
    const response = await call.fetch(urlBelow(target.url, '/prompt'), body);
    id = queuedSchema.parse(await response.json()).prompt_id;
    const url = urlBelow(target.url, `/history/${encodeURIComponent(id)}`);
    for (;;) {
      const history = historySchema.parse(await (await call.fetch(url, { headers })).json());
      const finished = history[id];
      if (finished !== undefined) {
        mayRun = false;
        return await fetchPicture(finished, nodes, setup, call);
      }
      await call.wait(POLL_MS);
    }
  } catch (error) {
    // Nobody will fetch the picture, so cancel the prompt.
    stop();
    throw error;
  }
}

async function fetchPicture(
  finished: Finished,
  nodes: ApiWorkflow,
  { target, settings }: Setup,
  call: RemoteCall,
): Promise<Uint8Array> {
  if (finished.status?.status_str === 'error') throw describeError(finished, target.secrets);
  const picture = findPicture(finished, nodes);
  if (picture === undefined)
    throw new RemoteFailure(
      'broken',
      'The ComfyUI workflow ended without a picture: it needs a SaveImage node.',
    );
  const url = urlBelow(target.url, '/view');
  for (const key of ['filename', 'subfolder', 'type'] as const) url.searchParams.set(key, picture[key]);
  const response = await call.fetch(url, { headers: settings.headers });
  return new Uint8Array(await response.arrayBuffer());
}

/** Prefers saved pictures over previews, and previews over pictures of other nodes. */
function findPicture({ outputs }: Finished, nodes: ApiWorkflow) {
  const ranks = ['SaveImage', 'PreviewImage'];
  const rankOf = (id: string) => {
    const rank = ranks.indexOf(nodes[id]?.class_type ?? '');
    return rank < 0 ? ranks.length : rank;
  };
  return Object.entries(outputs)
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
    .flatMap(([, { images }]) => images ?? [])
    .map((image) => pictureSchema.safeParse(image).data)
    .find((image) => image !== undefined);
}

function describeError({ status }: Finished, secrets: readonly string[]): RemoteFailure {
  const error = status?.messages
    .map((message) => errorMessageSchema.safeParse(message).data?.[1])
    .find((data) => data !== undefined);
  return new RemoteFailure(
    'refused',
    error === undefined
      ? 'The workflow was interrupted in ComfyUI.'
      : `The workflow failed in ComfyUI, in a node ${cleanWords(`${error.node_type}: ${error.exception_message}`, secrets)}`,
  );
}

/**
 * Removes the prompt from the queue, and interrupts it if it is already running. If it is not, an interrupt could hit
 * another prompt, because older servers ignore the id.
 */
async function stopPrompt(id: string, { target, settings: { headers } }: Setup): Promise<void> {
  await sendBestEffort(urlBelow(target.url, '/queue'), postJson({ delete: [id] }, headers));
  const queue = await sendBestEffort(urlBelow(target.url, '/queue'), { headers });
  if (queue === null || !isRunning(queue, id)) return;
  await sendBestEffort(urlBelow(target.url, '/interrupt'), postJson({ prompt_id: id }, headers));
}

function isRunning(queue: string, id: string): boolean {
  try {
    return queueSchema.parse(JSON.parse(queue)).queue_running.some((entry) => entry[1] === id);
  } catch {
    // A response in an unknown format does not tell whether our prompt is running.
    return false;
  }
}
