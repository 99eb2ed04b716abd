/** A labeled contact sheet of scenes. */
import sharp, { type OverlayOptions } from 'sharp';
import type { SampleProduct } from '../../scripts/docs/sample-products.ts';
import { drawSampleScene } from '../../scripts/docs/scene-gallery-picture.ts';
import type { ScenePlan } from '../../src/studio/scene-plan.ts';

export interface SheetCell {
  readonly product: SampleProduct;
  readonly plan: ScenePlan;
  readonly row: number;
  readonly column: number;
  readonly label: string;
}

const CELL_PX = 320;
/** Height of a label with two lines of text. */
const LABEL_PX = 32;
const GAP_PX = 6;

export async function drawSheet(cells: readonly SheetCell[]): Promise<Buffer> {
  const tiles: OverlayOptions[] = [];
  for (const { product, plan, row, column, label } of cells) {
    const { data, width, height } = await drawSampleScene(plan, product, CELL_PX);
    const left = column * (CELL_PX + GAP_PX);
    const top = row * (CELL_PX + LABEL_PX + GAP_PX);
    tiles.push(
      {
        input: Buffer.from(data),
        raw: { width, height, channels: 3 },
        left: left + Math.floor((CELL_PX - width) / 2),
        top: top + Math.floor((CELL_PX - height) / 2),
      },
      { input: await writeLabel(label), left, top: top + CELL_PX + 2 },
    );
  }
  const size = {
    width: (Math.max(...cells.map(({ column }) => column)) + 1) * (CELL_PX + GAP_PX),
    height: (Math.max(...cells.map(({ row }) => row)) + 1) * (CELL_PX + LABEL_PX + GAP_PX),
  };
  return sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
    .composite(tiles)
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Uses sharp's text input, not SVG, because `read-image` blocks the SVG loader for the whole process. */
function writeLabel(label: string): Promise<Buffer> {
  const safe = label.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
  return sharp({ text: { text: safe, font: 'sans 9', width: CELL_PX, dpi: 96 } })
    .negate()
    .png({ compressionLevel: 6, palette: false })
    .toBuffer();
}
