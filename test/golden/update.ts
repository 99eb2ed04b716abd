/** Measures every golden photo anew, prints the table for the commit message and writes the floors. */
import { writeFile } from 'node:fs/promises';
import { openIsnet } from '../../src/cutout/engines/isnet.ts';
import { floors as before, cases, type Floors, floorsFile } from './cases.ts';
import { cacheDir, measureCase } from './measure.ts';

/** Room for other CPUs' kernels: a tenth of the figure, and a little for figures near zero. */
const round = (value: number, digits: number): number => Number(value.toFixed(digits));

const engine = await openIsnet({ threads: 2, cacheDir });
const floors: Floors = {};
console.log('| photo | matte error | edge error | IoU | composite p99.9 | floors before |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const { id } of cases) {
  const { comparison } = await measureCase(id, engine);
  const { matteError, edgeError, iou, compositeP999 } = comparison;
  floors[id] = {
    matteError: round(matteError * 1.1 + 0.0005, 5),
    edgeError: round(edgeError * 1.1 + 0.002, 4),
    iou: round(iou - 0.005, 4),
    compositeP999: Math.min(255, Math.ceil(compositeP999 * 1.1 + 4)),
  };
  const old = before[id];
  const was = old ? `${old.matteError}, ${old.edgeError}, ${old.iou}, ${old.compositeP999}` : 'none';
  console.log(
    `| ${id} | ${matteError.toFixed(5)} | ${edgeError.toFixed(4)} | ${iou.toFixed(4)} | ${compositeP999} | ${was} |`,
  );
}
await engine.close();
await writeFile(floorsFile, `${JSON.stringify(floors, null, 2)}\n`);
