/** Makes an Ultra HDR JPEG (Ultra HDR image format 1.1): a base picture with a gain map appended. */

const HDR = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"';

function segment(marker: number, body: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, body]);
}

function xmp(attributes: string, inner = ''): Buffer {
  const text = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${attributes}>${inner}</rdf:Description></rdf:RDF></x:xmpmeta>`;
  return segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${text}`));
}

/** The index of a Multi-Picture file with two pictures (CIPA DC-007). `second` is relative to the index's header. */
function pictureIndex(sizes: readonly [number, number], second: number): Buffer {
  const block = Buffer.alloc(86);
  block.write('MPF\0MM\0*\0\0\0\b\0\u0003', 'latin1');
  const entries: [number, number, number, number][] = [
    [0xb000, 7, 4, 0x30313030],
    [0xb001, 4, 1, 2],
    [0xb002, 7, 32, 50],
  ];
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const at = 14 + 12 * i;
    block.writeUInt16BE(tag, at);
    block.writeUInt16BE(type, at + 2);
    block.writeUInt32BE(count, at + 4);
    block.writeUInt32BE(value, at + 8);
  }
  block.writeUInt32BE(0x030000, 54);
  block.writeUInt32BE(sizes[0], 58);
  block.writeUInt32BE(sizes[1], 74);
  block.writeUInt32BE(second, 78);
  return segment(0xe2, block);
}

const after = (jpeg: Buffer, ...added: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...added, jpeg.subarray(2)]);

export function makeUltraHdr(base: Buffer, gainMap: Buffer): Buffer {
  const gain = after(
    gainMap,
    xmp(
      `${HDR} hdrgm:GainMapMin="0" hdrgm:GainMapMax="2" hdrgm:Gamma="1" hdrgm:OffsetSDR="0.015625" hdrgm:OffsetHDR="0.015625" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="2" hdrgm:BaseRenditionIsHDR="False"`,
    ),
  );
  const item = (attributes: string) =>
    `<rdf:li rdf:parseType="Resource"><Container:Item ${attributes} Item:Mime="image/jpeg"/></rdf:li>`;
  const directory = `<Container:Directory xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><rdf:Seq>${item('Item:Semantic="Primary"')}${item(`Item:Semantic="GainMap" Item:Length="${gain.length}"`)}</rdf:Seq></Container:Directory>`;
  const head = xmp(HDR, directory);
  const first = base.length + head.length + pictureIndex([0, 0], 0).length;
  return Buffer.concat([
    after(base, head, pictureIndex([first, gain.length], first - head.length - 10)),
    gain,
  ]);
}
