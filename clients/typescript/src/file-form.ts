/** Files in multipart uploads. */

/** Bytes of a picture file. Node's Buffer is a Uint8Array; `fs.openAsBlob` creates a Blob from a file. */
export type FileBytes = Blob | Uint8Array | ArrayBuffer;

export function fileForm(bytes: FileBytes, name: string | undefined, field = 'file'): FormData {
  const form = new FormData();
  const ownName = 'name' in bytes && typeof bytes.name === 'string' ? bytes.name : 'photo';
  form.append(field, toBlob(bytes), name ?? ownName);
  return form;
}

export function toBlob(bytes: FileBytes): Blob {
  // The platform rejects views of shared memory with an error of its own, so they need no check here.
  return bytes instanceof Blob ? bytes : new Blob([bytes as Uint8Array<ArrayBuffer> | ArrayBuffer]);
}

/** One key per logical call, so that a retry returns the response of the first attempt. */
export function newIdempotencyKey(): { readonly 'idempotency-key': string } {
  // `randomUUID` is missing on pages loaded over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { 'idempotency-key': Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
