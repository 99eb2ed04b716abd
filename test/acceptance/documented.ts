/** Checks every response in the tests against openapi.json: its status, and the error code of an error response. */
import { readFileSync } from 'node:fs';

interface Operation {
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
}

interface Answer {
  readonly description: string;
}

const { paths, components } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
};

/** Literal paths come first, so that `suggest` in `/v1/design/suggest` is not taken for a design's id. */
const patterns = Object.entries(paths)
  .map(([path, methods]) => ({
    methods,
    isLiteral: !path.includes('{'),
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((one, other) => Number(other.isLiteral) - Number(one.isLiteral));

/** Error codes for paths and methods that have no operation in openapi.json. */
const ofNoOperation = new Set(['unknown_path', 'method_not_allowed']);

export async function checkDocumented(method: string, path: string, response: Response): Promise<void> {
  const [pathname = ''] = path.split('?');
  const found = patterns.find(({ pattern }) => pattern.test(pathname));
  const operation = found?.methods[method.toLowerCase()];
  if (!operation) return;
  const named = operation.responses[response.status];
  const documented = named && '$ref' in named ? components.responses[named.$ref.split('/').at(-1)!] : named;
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  if (!isProblem) {
    if (!documented) throw new Error(`${method} ${pathname}: openapi.json has no ${response.status}`);
    return;
  }
  const { code } = (await response.clone().json()) as { code: string };
  if (ofNoOperation.has(code) || documented?.description.includes(`\`${code}\``)) return;
  throw new Error(`${method} ${pathname}: add ${code} (${response.status}) to src/http/api-operations.ts`);
}
