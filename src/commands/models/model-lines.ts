/** How `packshot models` prints models, and the progress of a download. */
import type { InstalledModel, ListedModel, ModelFamily, ModelState } from 'packshot-cutout/models';
import { createProgressLine, type Words } from '../shared/progress-line.ts';

export const inMB = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export function toStateLines({ name, origin, bytes, sha256, licence, problem }: ModelState): string {
  const state = problem === undefined ? 'verified' : `NOT VERIFIED: ${problem}`;
  const head = [name.padEnd(28), origin.padEnd(10), inMB(bytes).padStart(10), sha256.slice(0, 12), state];
  return `${head.join('  ')}\n    ${licence}`;
}

export function toListedLines(
  model: ListedModel & { readonly input: ModelFamily['input']; readonly installed: boolean },
): string {
  const { name, bytes, sha256, licence, when, cost, installed } = model;
  const { dynamic, width, height } = model.input;
  const head = [
    name.padEnd(22),
    (bytes === undefined ? 'unknown' : inMB(bytes)).padStart(10),
    (dynamic ? `${dynamic.min}-${dynamic.max} px` : `${width} x ${height} px`).padEnd(14),
    sha256 !== undefined ? 'checksum published' : 'no checksum published',
    installed ? 'INSTALLED' : '',
  ];
  return `${head.join('  ').trimEnd()}\n    ${when}\n    ${cost}\n    License: ${licence}`;
}

const checks: Record<InstalledModel['checked'], string> = {
  checksum: 'Its checksum matches.',
  'first download': 'It matches the first download.',
  nothing: 'There was no checksum to verify; from now on, it must match this one.',
};

export function toInstalledLine({ description, checked }: InstalledModel): string {
  const { name, licence, sha256 } = description;
  return [
    `${name} is installed. License: ${licence}`,
    `SHA-256 ${sha256}. ${checks[checked]}`,
    `Use it with REMOVAL_MODEL=${name}`,
  ].join('\n');
}

/** Download progress: on a terminal, one line; elsewhere, a line for every 10 %. */
export function makeProgress(output: Words) {
  const line = createProgressLine(output);
  let tenths = 0;
  const show = (bytes: number, totalBytes: number | undefined): void => {
    const share = totalBytes ? Math.floor((bytes / totalBytes) * 100) : undefined;
    const text = share === undefined ? inMB(bytes) : `${inMB(bytes)} of ${inMB(totalBytes!)}, ${share} %`;
    line.draw(text, bytes === totalBytes);
    const reached = Math.floor((share ?? 0) / 10);
    if (!output.isTTY && reached > tenths) line.say(text);
    tenths = Math.max(tenths, reached);
  };
  return Object.assign(show, { end: line.clear });
}
