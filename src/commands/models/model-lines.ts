/** How `packshot models` prints models, and the progress of a download. */
import type { InstalledModel } from '../../cutout/models/install-model.ts';
import type { ModelState } from '../../cutout/models/installed-models.ts';
import type { ListedModel, ModelFamily } from '../../cutout/models/listed-models.ts';

export const inMB = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export function toStateLines({ name, origin, bytes, sha256, licence, problem }: ModelState): string {
  const state = problem === undefined ? 'verified' : `NOT VERIFIED: ${problem}`;
  const head = [name.padEnd(28), origin.padEnd(10), inMB(bytes).padStart(10), sha256.slice(0, 12), state];
  return `${head.join('  ')}\n    ${licence}`;
}

export function toListedLines(
  model: ListedModel & { readonly input: ModelFamily['input']; readonly installed: boolean },
): string {
  const { name, bytes, sha256, md5, licence, mustAccept, when, cost, installed } = model;
  const { dynamic, width, height } = model.input;
  const head = [
    name.padEnd(22),
    (bytes === undefined ? 'unknown' : inMB(bytes)).padStart(10),
    (dynamic ? `${dynamic.min}-${dynamic.max} px` : `${width} x ${height} px`).padEnd(14),
    sha256 !== undefined || md5 !== undefined ? 'checksum published' : 'no checksum published',
    installed ? 'INSTALLED' : '',
  ];
  const license = mustAccept ? `${licence}. Needs --accept-license` : licence;
  return `${head.join('  ').trimEnd()}\n    ${when}\n    ${cost}\n    License: ${license}`;
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

/** Download progress: on a terminal, one line updated at most ten times a second; elsewhere, a line for every 10 %. */
export function makeProgress(output: NodeJS.WriteStream) {
  let shownAt = 0;
  let tenths = 0;
  let open = false;
  const show = (bytes: number, totalBytes: number | undefined): void => {
    const share = totalBytes ? Math.floor((bytes / totalBytes) * 100) : undefined;
    const text = share === undefined ? inMB(bytes) : `${inMB(bytes)} of ${inMB(totalBytes!)}, ${share} %`;
    if (!output.isTTY) {
      const reached = Math.floor((share ?? 0) / 10);
      if (reached > tenths) output.write(`${text}\n`);
      tenths = Math.max(tenths, reached);
      return;
    }
    if (bytes !== totalBytes && performance.now() - shownAt < 100) return;
    shownAt = performance.now();
    open = true;
    output.write(`\r${text}   `);
  };
  const end = (): void => {
    if (open) output.write('\n');
    open = false;
  };
  return Object.assign(show, { end });
}
