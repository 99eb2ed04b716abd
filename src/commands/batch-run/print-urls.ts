/** `packshot batch --url`: uploads the photos, and prints the signed URL of each picture instead of making it. */
import Papa from 'papaparse';
import type { Photo } from '../photo-run/find-photos.ts';
import { toExtension } from '../photo-run/picture-target.ts';
import type { RunReport } from '../photo-run/report-run.ts';
import type { Interrupts } from '../photo-run/run-files.ts';
import { runPhotos } from '../photo-run/run-photos.ts';
import { type Service, uploadPhoto } from '../shared/service-client.ts';
import type { OrderedPhotos } from './list-rows.ts';

interface Printing extends OrderedPhotos {
  readonly service: Service;
  readonly report: RunReport;
  readonly interrupts: Interrupts;
}

/** The pictures are made, and charged, when their URLs are first opened. Returns the exit code. */
export async function printUrls(printing: Printing): Promise<number> {
  const { named, orderOf, service, report, interrupts } = printing;
  const { client, maxBytes, calls: concurrency } = service;
  const designs = new Map<string, Promise<string>>();
  const findDesign = (photo: Photo, signal: AbortSignal) => {
    const known = designs.get(photo.identity);
    if (known) return known;
    const made = uploadPhoto(client, photo, { maxBytes, signal }).then(({ id }) => id);
    designs.set(photo.identity, made);
    return made;
  };
  async function make(photo: Photo, signal: AbortSignal): Promise<void> {
    const { recipe, format, quality } = orderOf(photo);
    const suffix = toExtension(undefined, format) as 'jpg' | 'png' | 'webp' | 'avif';
    const id = await findDesign(photo, signal);
    const asked = { id, ...recipe!, format: suffix, ...(quality !== undefined && { quality }) };
    const { url } = await client.pictureUrl(asked, { signal });
    const name = named.get(photo)!.replace(/\.\w+$/, '');
    console.log(Papa.unparse([[name, url]]));
    report.end({ file: photo.name, state: 'done', output: url });
  }
  console.log('name,url');
  return runPhotos([...named.keys()], { report, interrupts, concurrency, where: 'uploaded', make });
}
