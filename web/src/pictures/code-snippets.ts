/** The API call for a picture, for the user to copy. The key is always a placeholder. */
import type { PictureFormat, RenderInput } from '../../../clients/typescript/src/packshot-client.ts';

export type PictureCall =
  | { readonly kind: 'cutout' | 'matte'; readonly id: string; readonly format: PictureFormat }
  | { readonly kind: 'generate'; readonly request: RenderInput; readonly format: PictureFormat };

export function toCurl(baseUrl: string, call: PictureCall, fileName: string): string {
  const out = `-o ${quote(fileName)}`;
  const head = 'curl -fsS -H "X-Api-Key: $KEY"';
  if (call.kind === 'generate') {
    const url = `${baseUrl}/v1/design/generated.${call.format}`;
    return `${head} ${url} \\\n  -d ${quote(JSON.stringify(call.request))} ${out}`;
  }
  return `${head} ${baseUrl}/v1/design/${call.id}/${call.kind}.${call.format} ${out}`;
}

export function toTypeScript(baseUrl: string, call: PictureCall, fileName: string): string {
  return `import { writeFile } from 'node:fs/promises';
import { createPackshotClient } from 'packshot-client';

const client = createPackshotClient({ baseUrl: ${text(baseUrl)}, apiKey: process.env.KEY! });
const picture = await ${methodCall(call)};
await writeFile(${text(fileName)}, await picture.bytes());
`;
}

function methodCall(call: PictureCall): string {
  const format = `{ format: ${text(call.format)} }`;
  if (call.kind !== 'generate') {
    return call.kind === 'matte'
      ? `client.matte(${text(call.id)})`
      : `client.cutout(${text(call.id)}, ${format})`;
  }
  const fields = Object.entries(call.request)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `    ${name}: ${JSON.stringify(value)},\n`);
  return `client.generate(\n  {\n${fields.join('')}  },\n  ${format},\n)`;
}

/** Quotes a value for POSIX shells: between single quotes, only the single quote itself is special. */
function quote(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

function text(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
