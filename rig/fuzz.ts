/**
 * Sends valid and invalid bodies that are generated from the published schemas: no response may be a 5xx, and every
 * response must match its schema.
 */
import * as fc from 'fast-check';
import { findForeignFault, findProblemFault, Tally } from './answers.ts';
import { makeArbitrary, type Schema, spoil } from './fuzz-bodies.ts';
import { makePhoto } from './photos.ts';
import { compileSchema, type OpenApi, readOperations } from './published.ts';
import type { Run } from './run.ts';
import { type Client, formWith, unhurried, untilReady } from './service.ts';

/** A full run uses a random seed, and a short run always the same one. `RIG_SEED` sets the seed for either. */
const chooseSeed = (full: boolean): number =>
  Number(process.env.RIG_SEED ?? (full ? Math.floor(Math.random() * 2 ** 31) : 7));

export async function checkFuzz(run: Run): Promise<void> {
  const service = await run.start({ ...unhurried, DRAW_AHEAD: 'off' });
  await untilReady(service);
  const openApi = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
  const id = await service.upload(await makePhoto());
  await (await service.call(`/v1/design/${id}?wait=true`)).arrayBuffer();
  const form = formWith(await makePhoto({ width: 600, height: 600 }));
  const backdrop = await (await service.call('/v1/illustrations', { method: 'POST', body: form })).json();
  const favourites = listFavourites(
    id,
    (await makePhoto({ width: 300, height: 200 })).toString('base64'),
    backdrop as Backdrop,
  );
  const seed = chooseSeed(run.full);
  const answers = { fitting: new Tally(), spoiled: new Tally() };
  const faults: string[] = [];
  let schemas = 0;

  for (const operation of readOperations(openApi)) {
    const { method, path, body, answerOf } = operation;
    const ask = async (init: { path?: string; json?: unknown }, tally: Tally) => {
      const response = await service.call(init.path ?? path, {
        method,
        ...(init.json !== undefined && { json: init.json }),
      });
      tally.add(response.status);
      const fault = await findAnswerFault(response, answerOf(response), openApi, operation.isForeign);
      if (fault) throw new Error(fault);
    };
    const hold = async (property: fc.IAsyncProperty<[unknown]>, what: string, numRuns: number) => {
      const result = await fc.check(property, { numRuns, seed, endOnFailure: true });
      if (result.failed)
        faults.push(
          `${method} ${path} ${what}: ${String(result.errorInstance)} for ${JSON.stringify(result.counterexample).slice(0, 300)}`,
        );
    };
    if (body) {
      schemas++;
      const fitting = makeArbitrary(body, openApi.components.schemas, favourites);
      const runs = countRuns(path, run.full);
      await hold(
        fc.asyncProperty(fitting, (json) => ask({ json }, answers.fitting)),
        'fitting',
        runs,
      );
      await hold(
        fc.asyncProperty(fitting.chain(spoil), (json) => ask({ json }, answers.spoiled)),
        'spoiled',
        2 * runs,
      );
    } else if (method !== 'POST' && path.includes('{')) {
      schemas++;
      const names = fc.oneof(fc.string({ maxLength: 120, unit: 'binary' }), fc.string({ maxLength: 30 }));
      const property = fc.asyncProperty(names, (name) => {
        const escaped = Buffer.from(name)
          .toString('latin1')
          .replace(/[^a-z0-9]/gi, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
        return ask({ path: path.replace(/\{\w+\}/, escaped || 'x') }, answers.spoiled);
      });
      await hold(property, 'names', run.full ? 200 : 8);
    }
  }
  faults.push(...(await checkKnownAnswers(service, openApi, id)));
  run.bar('schemas fuzzed', '>= 15', schemas, schemas >= 15);
  run.bar('valid bodies', 'no 5xx, answers match schemas', answers.fitting.toString(), faults.length === 0);
  run.bar('changed bodies', 'no 5xx, answers match schemas', answers.spoiled.toString(), faults.length === 0);
  run.bar('faults', 'none', faults.join(' | ').slice(0, 3_000) || `none, seed ${seed}`, faults.length === 0);
}

/**
 * Number of valid bodies per path. Paths of `generated` pictures get the fewest, because such a picture takes seconds,
 * and previews have the same bodies. `full` is whether the run is a full run.
 */
function countRuns(path: string, full: boolean): number {
  if (path.includes('generated')) return full ? 20 : 1;
  if (path.includes('preview') || path.includes('suggest')) return full ? 100 : 4;
  return full ? 200 : 6;
}

interface Backdrop {
  readonly uri: string;
  readonly previewUri: string;
}

/** For some fields: values that the service does not refuse as early as random text. */
function listFavourites(
  id: string,
  photo: string,
  { uri, previewUri }: Backdrop,
): Record<string, readonly unknown[]> {
  return {
    id: [id, id, id, 'dsg_0000000000000000000000'],
    recipeId: ['Solid1_1_0035', 'Transp001', 'Transp001', 'Studio001', 'Studio001', 'Solid4_5_0042'],
    variant: ['1:1', '1:1', '1:1', '4:5'],
    recipePreset: ['AI_STUDIO', 'AI_STUDIO', 'NO_SUCH_PRESET'],
    aspectRatio: ['1:1', '4:5', '9:16'],
    // With these values instead of random text, the service never calls a random host.
    image_url: ['http://127.0.0.1/a.jpg', 'http://10.0.0.1/x', 'no url'],
    image_file_b64: [photo, photo, photo, 'bm8gcGljdHVyZQ==', ''],
    bg_image_url: ['http://127.0.0.1/a.jpg', 'no url'],
    size: ['preview', 'auto', 'medium', '4k', 'huge'],
    type: ['auto', 'car', 'person', 'thing'],
    type_level: ['none', '1', 'latest', '3'],
    format: ['auto', 'png', 'jpg', 'webp', 'zip', 'bmp'],
    channels: ['rgba', 'alpha', 'rgb'],
    roi: ['0 0 100% 100%', '10px 10px 90% 90%', '0 0 9999px 100%', '50% 0 50% 100%', 'all'],
    crop_margin: ['0', '10%', '30px 5%', '1px 2px 3px 4px', '60%', '1 2 3'],
    scale: ['original', '10%', '75%', '100%', '5%'],
    position: ['original', 'center', '0% 100%', '33%', '-5%'],
    bg_color: ['fff', '#81d4fa80', 'tomato', 'nothing', ''],
    shadow_type: ['none', 'auto', '3D', 'drop', 'long'],
    shadow_opacity: ['auto', '0', '100', '101'],
    url: ['http://127.0.0.1/a.jpg', 'http://[::1]/', 'https://10.0.0.1/x', 'no url'],
    uri: [uri, uri, uri, 'http://127.0.0.1/v1/illustrations/ill_0.webp', 'x'],
    previewUri: [previewUri, previewUri, previewUri, 'x'],
  };
}

async function findAnswerFault(
  response: Response,
  schema: Schema | undefined,
  openApi: OpenApi,
  isForeign = false,
): Promise<string | undefined> {
  if (response.status >= 500) return `${response.status} ${await response.text()}`;
  if (response.status >= 400 && isForeign) {
    return findForeignFault(response, schema ? compileSchema(schema, openApi) : () => undefined);
  }
  if (response.status >= 400) {
    const copy = response.clone();
    return (
      (await findProblemFault(response)) ?? (schema && compileSchema(schema, openApi)(await copy.json()))
    );
  }
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) {
    await response.arrayBuffer();
    return undefined;
  }
  const json: unknown = await response.json();
  return schema
    ? compileSchema(schema, openApi)(json)
    : `JSON with ${response.status}, which openapi.json does not describe`;
}

/** Checks the responses to valid calls that random bodies seldom make. */
async function checkKnownAnswers(service: Client, openApi: OpenApi, id: string): Promise<string[]> {
  const item = { id, recipeId: 'Solid1_1_0035', variant: '1:1' };
  const made = await service.call('/v1/jobs', { json: { items: [item] } });
  const batch = (await made.clone().json()) as { id: string };
  const calls: readonly (readonly [string, string, Response | Promise<Response>])[] = [
    ['POST', '/v1/jobs', made],
    ['GET', '/v1/jobs/{id}', service.call(`/v1/jobs/${batch.id}`)],
    ['GET', '/v1/design/{id}', service.call(`/v1/design/${id}`)],
    ['GET', '/v1/recipes', service.call('/v1/recipes')],
    ['GET', '/v1/limits', service.call('/v1/limits')],
    ['GET', '/v1/credits', service.call('/v1/credits')],
    [
      'POST',
      '/v1/design/suggest',
      service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO', prompt: 'oak table' } }),
    ],
  ];
  const operations = readOperations(openApi);
  const faults: string[] = [];
  for (const [method, path, call] of calls) {
    const response = await call;
    const operation = operations.find((one) => one.method === method && one.path === path);
    const fault =
      response.status >= 300
        ? String(response.status)
        : await findAnswerFault(response, operation?.answerOf(response), openApi);
    if (fault) faults.push(`${method} ${path}: ${fault}`);
  }
  return faults;
}
