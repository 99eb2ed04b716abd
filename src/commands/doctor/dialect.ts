/** The trial calls of `packshot doctor --dialect`: the calls that a client of another service makes, in sequence. */
import { readFile } from 'node:fs/promises';
import { type Finding, messageOf, ok, problem, type Verdict } from './verdict.ts';

export type DialectName = 'removebg' | 'photoroom' | 'rembg';

export interface DialectTrial {
  readonly dialect: DialectName;
  /** Base URL that the client would be configured with. */
  readonly url: string;
  /** Undefined if the client sends no key. */
  readonly key: string | undefined;
}

interface Step {
  readonly check: string;
  readonly path: string;
  readonly init?: RequestInit;
  /** Describes the fault in the response; undefined if there is none. */
  readonly findFault: (answer: Answer) => string | undefined;
}

interface Answer {
  readonly status: number;
  readonly header: (name: string) => string;
  readonly json: unknown;
}

/** Longer than any deadline of a healthy service. */
const patienceMs = 60_000;
/** A photo that every engine can cut out. */
const sample = new URL('../../../samples/mug-white.jpg', import.meta.url);

export async function* tryDialect(trial: DialectTrial): AsyncIterable<Finding> {
  const photo = await readFile(sample);
  for (const step of stepsOf[trial.dialect](photo)) {
    const { check } = step;
    const startedAt = performance.now();
    const verdict: Verdict = await ask(trial, step).then(
      (fault) =>
        fault === undefined
          ? ok(`${nameOf(step)} responds correctly, in ${Math.round(performance.now() - startedAt)} ms`)
          : problem(`${nameOf(step)}: ${fault}`, remedyOf(fault, trial)),
      (error: unknown) =>
        problem(
          `${nameOf(step)} does not respond: ${messageOf((error as Error).cause ?? error)}`,
          `Start the service, or name another one with --url; this was ${trial.url}.`,
        ),
    );
    yield { check, ...verdict };
    // If the service is unreachable or rejects the key, the remaining calls would fail the same way.
    if (verdict.state === 'problem' && check === 'reach') return;
  }
}

const nameOf = ({ path, init }: Step): string => `${init?.method ?? 'GET'} ${path}`;

function remedyOf(fault: string, { key, dialect }: DialectTrial): string {
  if (/^40[13]\b/.test(fault)) {
    const port =
      dialect === 'rembg' ? ' Or start it with --rembg and try its own port, which needs no key.' : '';
    return `${key === undefined ? 'Give a key with --key, or in PACKSHOT_API_KEY.' : 'Give a key of this service with the scopes upload and render.'}${port}`;
  }
  if (fault.startsWith('402')) return 'Give the key credits: packshot keys credits.';
  return 'Check that the URL is that of a Packshot service of this version, without a path.';
}

async function ask({ url, key }: DialectTrial, { path, init, findFault }: Step): Promise<string | undefined> {
  const headers = new Headers(init?.headers);
  if (key !== undefined) headers.set('x-api-key', key);
  const response = await fetch(url + path, { ...init, headers, signal: AbortSignal.timeout(patienceMs) });
  const bytes = Buffer.from(await response.arrayBuffer());
  const json = parse(bytes.toString('utf8'));
  return findFault({ status: response.status, header: (name) => response.headers.get(name) ?? '', json });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const post = (fields: Readonly<Record<string, Buffer | string>>): RequestInit => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)], { type: 'image/jpeg' }), 'photo.jpg');
  }
  return { method: 'POST', body: form };
};

const isPng = ({ status, header, json }: Answer): string | undefined => {
  if (status !== 200) return `${status} ${JSON.stringify(json)?.slice(0, 200) ?? ''}`.trim();
  return header('content-type') === 'image/png'
    ? undefined
    : `${header('content-type')} instead of image/png`;
};

/** Expects a status, and a value at `path` in the JSON response, such as `data.attributes`. */
const holds =
  (wanted: number, path: string) =>
  ({ status, json }: Answer): string | undefined => {
    const found = path
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], json);
    if (status !== wanted) return `${status} instead of ${wanted}`;
    return found === undefined ? `a response without ${path}` : undefined;
  };

const stepsOf: Readonly<Record<DialectName, (photo: Buffer) => readonly Step[]>> = {
  removebg: (photo) => [
    { check: 'reach', path: '/v1.0/account', findFault: holds(200, 'data.attributes.credits.total') },
    {
      check: 'cutout',
      path: '/v1.0/removebg',
      init: post({ image_file: photo, size: 'preview', format: 'png' }),
      findFault: (answer) => isPng(answer) ?? (answer.header('x-width') === '' ? 'no X-Width' : undefined),
    },
    {
      check: 'errors',
      path: '/v1.0/removebg',
      init: post({ size: 'preview' }),
      findFault: holds(400, 'errors.0.title'),
    },
  ],
  photoroom: (photo) => [
    { check: 'reach', path: '/v1/account', findFault: holds(200, 'credits.available') },
    {
      check: 'cutout',
      path: '/v1/segment',
      init: post({ image_file: photo, size: 'preview' }),
      findFault: (answer) =>
        isPng(answer) ?? (answer.header('x-uncertainty-score') === '' ? 'no X-Uncertainty-Score' : undefined),
    },
    { check: 'errors', path: '/v1/segment', init: post({ size: 'preview' }), findFault: holds(400, 'type') },
  ],
  rembg: (photo) => [
    {
      check: 'reach',
      path: '/api',
      findFault: ({ status }) => (status === 200 ? undefined : String(status)),
    },
    { check: 'cutout', path: '/api/remove', init: post({ file: photo }), findFault: isPng },
    {
      check: 'errors',
      path: '/api/remove',
      init: post({ model: 'u2net' }),
      findFault: holds(422, 'detail.0.loc'),
    },
  ],
};
