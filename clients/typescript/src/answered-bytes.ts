/** The body of a response. It can be read only once, by one of several methods. */

export interface AnsweredBytes {
  /** In chunks as they arrive; supports `for await` everywhere. */
  stream(): ByteStream;
  blob(): Promise<Blob>;
  arrayBuffer(): Promise<ArrayBuffer>;
  /** All bytes, ready for `fs.writeFile`. */
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

/** Makes a stream async iterable, because the streams of some browsers lack this. */
function makeIterable(stream: ReadableStream<Uint8Array>): ByteStream {
  if (Symbol.asyncIterator in stream) return stream as ByteStream;
  return Object.assign(stream, { [Symbol.asyncIterator]: () => readChunks(stream) });
}

/** The stream's chunks; works even in browsers whose streams are not async iterable. */
export async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // Cancels the download if the consumer stops early.
    await reader.cancel().catch(() => undefined);
  }
}
