/** Files on their way to the service. */

/** Bytes of a picture file. Node's Buffer is a Uint8Array; `fs.openAsBlob` makes a Blob of a file. */
export type FileBytes = Blob | Uint8Array | ArrayBuffer;

export function fileForm(bytes: FileBytes, name: string | undefined): FormData {
  const form = new FormData();
  const ownName = 'name' in bytes && typeof bytes.name === 'string' ? bytes.name : 'photo';
  form.append('file', toBlob(bytes), name ?? ownName);
  return form;
}

export function toBlob(bytes: FileBytes): Blob {
  // A view of shared memory is refused by the platform, which says so.
  return bytes instanceof Blob ? bytes : new Blob([bytes as Uint8Array<ArrayBuffer> | ArrayBuffer]);
}

/** One for each intention: a repeated upload is answered with the first one's design. */
export function newIdempotencyKey(): { readonly 'idempotency-key': string } {
  // `randomUUID` is missing on pages that came over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return {
    'idempotency-key': Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}
