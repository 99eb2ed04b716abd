/** Bytes of an answer, in the form that you ask for, once. */

export interface AnsweredBytes {
  /** As they arrive; can be iterated with `for await` everywhere. */
  stream(): ByteStream;
  blob(): Promise<Blob>;
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Ready for `fs.writeFile`. */
  bytes(): Promise<Uint8Array>;
}

export type ByteStream = ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;

export function toBytes(response: Response): AnsweredBytes {
  return {
    stream: () => makeIterable((response.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>),
    blob: () => response.blob(),
    arrayBuffer: () => response.arrayBuffer(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
  };
}

/** Some browsers have streams that cannot be iterated. */
function makeIterable(stream: ReadableStream<Uint8Array>): ByteStream {
  if (Symbol.asyncIterator in stream) return stream as ByteStream;
  return Object.assign(stream, { [Symbol.asyncIterator]: () => readChunks(stream) });
}

/** Everywhere, though not all streams can be iterated. */
export async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // Ends the download of what is not read.
    await reader.cancel().catch(() => undefined);
  }
}
