/**
 * Writes a photo's tags into a picture: all tags as EXIF, which is ASCII only, and the texts also as XMP, which is
 * Unicode. Copies no other metadata.
 */
import type { Sharp } from 'sharp';
import { type PhotoTags, UNKNOWN_DPI } from './photo-tags.ts';

/**
 * The Dublin Core property of each text, as mapped by the IPTC Photo Metadata Standard (2023.1), and the property's XMP
 * container.
 */
const properties = [
  ['description', 'dc:description', 'Alt'],
  ['artist', 'dc:creator', 'Seq'],
  ['copyright', 'dc:rights', 'Alt'],
] as const;

/** Returns the same picture with the tags and, in the XMP, our own `attributes`. The caller encodes the picture. */
export function tagPicture(picture: Sharp, tags: PhotoTags, attributes = ''): Sharp {
  const { make, model, description, artist, copyright, dateTaken, dpi = UNKNOWN_DPI } = tags;
  const image = {
    Make: make,
    Model: model,
    ImageDescription: description,
    Artist: artist,
    Copyright: copyright,
  };
  const named = Object.entries(image).flatMap(([name, text]) => (text ? [[name, whole(text)]] : []));
  const tagged = picture
    .withExif({
      IFD0: Object.fromEntries(named),
      ...(dateTaken && { IFD2: { DateTimeOriginal: dateTaken } }),
    })
    .withDensity(dpi);
  const elements = describe(tags);
  return attributes || elements ? tagged.withXmp(xmpPacket(attributes, elements)) : tagged;
}

/** libvips drops the text after the last ` (`, which it takes for its own annotation; a final `()` protects it. */
const whole = (text: string): string => `${text} ()`;

/** Returns an XMP packet (ISO 16684-1). `attributes` and `elements` are XML that declares its own namespaces. */
export function xmpPacket(attributes: string, elements = ''): string {
  const end = elements ? `>${elements}</rdf:Description>` : '/>';
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""${attributes}${end}</rdf:RDF></x:xmpmeta><?xpacket end="r"?>`;
}

function describe(tags: PhotoTags): string {
  const elements = properties.flatMap(([name, property, container]) => {
    const text = tags[name];
    if (text === undefined) return [];
    const language = container === 'Alt' ? ' xml:lang="x-default"' : '';
    const item = `<rdf:li${language}>${escapeXml(text)}</rdf:li>`;
    return `<${property} xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:${container}>${item}</rdf:${container}></${property}>`;
  });
  return elements.join('');
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
