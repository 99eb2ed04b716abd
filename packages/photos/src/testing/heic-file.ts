/** Writes HEIF files box by box (ISO 14496-12, 23008-12), both valid and deliberately inconsistent ones. */

export interface HeicItem {
  readonly id: number;
  /** The item's four-letter type: `hvc1`, `grid`, `Exif`, … */
  readonly type: string;
  readonly data: Buffer;
  /** Whole boxes: `ispe`, `hvcC`, `colr`, `irot`, … */
  readonly properties?: readonly Buffer[];
  readonly hidden?: boolean;
  readonly references?: readonly { readonly type: string; readonly to: readonly number[] }[];
  /** The item's length as the file states it; default: the real length. */
  readonly claimedBytes?: number;
}

const u8 = (...values: number[]) => Buffer.from(values);
const u16 = (...values: number[]) =>
  Buffer.concat(values.map((value) => u8((value >> 8) & 255, value & 255)));
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};
const ascii = (text: string) => Buffer.from(text, 'latin1');

export const box = (type: string, ...contents: Buffer[]): Buffer => {
  const body = Buffer.concat(contents);
  return Buffer.concat([u32(body.length + 8), ascii(type), body]);
};
const fullBox = (type: string, version: number, flags: number, ...contents: Buffer[]): Buffer =>
  box(type, u8(version, 0, 0, flags), ...contents);

export const ispe = (width: number, height: number): Buffer => fullBox('ispe', 0, 0, u32(width, height));
/** Counterclockwise quarter turns. */
export const irot = (quarterTurns: number): Buffer => box('irot', u8(quarterTurns));
/** Mirrors the picture. 0: the upper half becomes the lower one; 1: the left half becomes the right one. */
export const imir = (axis: number): Buffer => box('imir', u8(axis));
/** Size of the crop, and distance of the crop's center from the picture's center. */
export const clap = (width: number, height: number, dx = 0, dy = 0): Buffer =>
  box('clap', u32(width, 1, height, 1), i32(dx), u32(1), i32(dy), u32(1));
export const icc = (profile: Buffer): Buffer => box('colr', ascii('prof'), profile);
export const nclx = (primaries: number, transfer: number): Buffer =>
  box('colr', ascii('nclx'), u16(primaries, transfer, 6), u8(0x80));
export const auxC = (urn: string): Buffer => fullBox('auxC', 0, 0, ascii(`${urn}\0`));

const i32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

export function gridData(columns: number, rows: number, width: number, height: number): Buffer {
  return Buffer.concat([u8(0, 1, rows - 1, columns - 1), u32(width, height)]);
}

/** The data of an Exif item whose only entry is an orientation. */
export function exifData(orientation: number): Buffer {
  const tiff = Buffer.concat([ascii('MM\0*'), u32(8), u16(1, 0x112, 3), u32(1), u16(orientation, 0), u32(0)]);
  return Buffer.concat([u32(6), ascii('Exif\0\0'), tiff]);
}

export function writeHeic(
  items: readonly HeicItem[],
  { primary, brands = ['heic', 'mif1'] }: { readonly primary: number; readonly brands?: readonly string[] },
): Buffer {
  const [major, ...compatible] = brands;
  const ftyp = box('ftyp', ascii(major!), u32(0), ...[major!, ...compatible].map(ascii));
  // Items with the same `data` buffer share one copy in the file.
  const pieces = [...new Set(items.map(({ data }) => data))];
  const metaAt = (offsets: ReadonlyMap<Buffer, number>) => writeMeta(items, primary, offsets);
  const size = metaAt(new Map(pieces.map((piece) => [piece, 0]))).length;
  const offsets = new Map<Buffer, number>();
  let at = ftyp.length + size + 8;
  for (const piece of pieces) {
    offsets.set(piece, at);
    at += piece.length;
  }
  return Buffer.concat([ftyp, metaAt(offsets), box('mdat', ...pieces)]);
}

function writeMeta(
  items: readonly HeicItem[],
  primary: number,
  offsets: ReadonlyMap<Buffer, number>,
): Buffer {
  const locations = items.map(({ id, data, claimedBytes = data.length }) =>
    Buffer.concat([u16(id, 0, 1), u32(offsets.get(data)!, claimedBytes)]),
  );
  const iloc = fullBox('iloc', 0, 0, u8(0x44, 0), u16(items.length), ...locations);
  const infos = items.map(({ id, type, hidden }) =>
    fullBox('infe', 2, hidden ? 1 : 0, u16(id, 0), ascii(`${type}\0`)),
  );
  const iinf = fullBox('iinf', 0, 0, u16(items.length), ...infos);
  const references = items.flatMap(({ id, references = [] }) =>
    references.map(({ type, to }) => box(type, u16(id, to.length, ...to))),
  );
  // Items share properties, as in phone photos.
  const properties = [...new Set(items.flatMap(({ properties = [] }) => properties))];
  const associations = items
    .filter(({ properties: own = [] }) => own.length > 0)
    .map(({ id, properties: own = [] }) =>
      Buffer.concat([u16(id), u8(own.length, ...own.map((each) => 0x80 | (properties.indexOf(each) + 1)))]),
    );
  const ipma = fullBox('ipma', 0, 0, u32(associations.length), ...associations);
  return fullBox(
    'meta',
    0,
    0,
    fullBox('hdlr', 0, 0, u32(0), ascii('pict'), u32(0, 0, 0), u8(0)),
    fullBox('pitm', 0, 0, u16(primary)),
    iloc,
    iinf,
    ...(references.length > 0 ? [fullBox('iref', 0, 0, ...references)] : []),
    box('iprp', box('ipco', ...properties), ipma),
  );
}

export interface HevcPicture {
  readonly hvcC: Buffer;
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Returns the picture of a file with a single item, as heif-enc writes it. */
export function readHevc(file: Buffer): HevcPicture {
  const hvcAt = file.indexOf('hvcC', 0, 'latin1') - 4;
  const ispeAt = file.indexOf('ispe', 0, 'latin1');
  const mdatAt = file.lastIndexOf('mdat', file.length, 'latin1');
  return {
    hvcC: file.subarray(hvcAt, hvcAt + file.readUInt32BE(hvcAt)),
    data: file.subarray(mdatAt + 4),
    width: file.readUInt32BE(ispeAt + 8),
    height: file.readUInt32BE(ispeAt + 12),
  };
}
