/** How code bases call other services, and what each line becomes. `{url}` and `{host}` are those of the service. */

export interface ClientPattern {
  readonly service: 'remove.bg' | 'Photoroom' | 'Clipdrop' | 'rembg' | 'withoutBG';
  /** Names of the files in which it counts; default: all. */
  readonly files?: RegExp;
  readonly call: RegExp;
  /** Replaces what `call` matches; undefined if there is more to change than this line. */
  readonly becomes?: string;
  readonly advice: string;
}

const python = /\.(py|ipynb)$/;
const requirements = /^(requirements.*\.txt|pyproject\.toml|Pipfile|setup\.py)$/;
const imported = (module: string) => new RegExp(`\\b(from|import) ${module}\\b`);
const required = (module: string) => new RegExp(`^\\s*['"]?${module}\\b(?!-)`);
const page = 'docs/fixed-clients.md';
const key = 'Send a key of your service in the same header.';
const webHosts = (service: 'remove.bg' | 'Photoroom', hosts: string): ClientPattern[] => [
  { service, call: new RegExp(`https?://${hosts}`), becomes: '{url}', advice: key },
  { service, call: new RegExp(`(?<![\\w/.-])${hosts}`), becomes: '{host}', advice: key },
];

export const clientPatterns: readonly ClientPattern[] = [
  ...webHosts('remove.bg', 'api\\.remove\\.bg'),
  {
    service: 'remove.bg',
    files: /^package\.json$/,
    call: /"remove\.bg"\s*:\s*"[^"]*"/,
    becomes: '"remove.bg": "file:PATH/TO/packshot/integrations/remove.bg"',
    advice: `Set PACKSHOT_URL={url}; the code stays: ${page}.`,
  },
  {
    service: 'remove.bg',
    files: python,
    call: imported('removebg'),
    advice: `Put integrations/python/removebg.py beside this file and set PACKSHOT_URL={url}; the line stays: ${page}.`,
  },
  {
    service: 'remove.bg',
    files: requirements,
    call: required('removebg'),
    advice: `Delete it: integrations/python/removebg.py replaces the package: ${page}.`,
  },
  {
    service: 'remove.bg',
    files: /^Gemfile$/,
    call: /gem ['"]remove_bg['"]/,
    advice: 'After require "remove_bg": RemoveBg::Api::URL = "{url}"',
  },
  {
    service: 'remove.bg',
    files: /^composer\.json$/,
    call: /"mtownsend\/remove-bg"/,
    advice: "After new RemoveBg($key): $removebg->endpoint = '{url}/v1.0/removebg';",
  },
  ...webHosts('Photoroom', '(sdk|image-api)\\.photoroom\\.com'),
  {
    service: 'Clipdrop',
    call: /https?:\/\/clipdrop-api\.co\/remove-background\/v1/,
    becomes: '{url}/v1/segment',
    advice: key,
  },
  {
    service: 'Clipdrop',
    call: /clipdrop-api\.co(?!\/remove-background)/,
    advice: 'Only /remove-background/v1 is served, as {url}/v1/segment.',
  },
  {
    service: 'rembg',
    files: python,
    call: imported('rembg'),
    advice:
      'Start `packshot serve --rembg`; instead of remove(photo): requests.post("http://127.0.0.1:7000/api/remove", files={"file": photo}).content',
  },
  { service: 'rembg', files: requirements, call: required('rembg'), advice: 'Delete it with the import.' },
  {
    service: 'rembg',
    call: /(?<![\w/-])rembg s\b/,
    becomes: 'npx packshot serve --rembg',
    advice: 'Callers stay as they are.',
  },
  {
    service: 'rembg',
    call: /(?<![\w/-])rembg [ip]\b/,
    becomes: 'npx packshot remove',
    advice: 'docs/leaving-rembg.md#the-command-line compares the options.',
  },
  {
    service: 'rembg',
    call: /danielgatis\/rembg/,
    advice: 'Run the image of Packshot with --rembg: docs/docker.md; callers stay as they are.',
  },
  {
    service: 'withoutBG',
    call: /https?:\/\/api\.withoutbg\.com\/v1\.0\/image\/remove-background/,
    becomes: '{url}/v1/remove-background',
    advice: key,
  },
  {
    service: 'withoutBG',
    call: /api\.withoutbg\.com(?!\/v1\.0\/image\/remove-background)/,
    advice: 'Send the photo itself, not base64, to {url}/v1/remove-background.',
  },
  {
    service: 'withoutBG',
    files: python,
    call: imported('withoutbg'),
    advice:
      'Instead: requests.post("{url}/v1/remove-background", headers={"X-Api-Key": key}, data=photo).content',
  },
];
