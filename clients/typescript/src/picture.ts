/** An answered picture: facts from its headers at once, its bytes in the form that you ask for, once. */
import { type AnsweredBytes, toBytes } from './answered-bytes.ts';

export interface Picture extends AnsweredBytes {
  /** Such as `image/webp`. */
  readonly contentType: string;
  /** Give it back as `ifNoneMatch` to learn for little whether the picture would be another. */
  readonly etag: string;
  /** True where `ifNoneMatch` still holds: there are no bytes then. */
  readonly notModified: boolean;
  /** What is not quite as asked for, such as a transparent recipe on JPEG. */
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
  /** What the service did for it, in order. */
  readonly timings: readonly { readonly step: string; readonly durationMs: number }[];
  /** Include it in a report to the operator of the service. */
  readonly requestId: string;
}

export function toPicture(response: Response): Picture {
  const { headers } = response;
  return {
    contentType: headers.get('content-type') ?? '',
    etag: headers.get('etag') ?? '',
    notModified: response.status === 304,
    // RFC 7234, section 5.5; the detail holds no quote.
    warnings: [...(headers.get('warning') ?? '').matchAll(/299 \S+ "([^":]+): ([^"]*)"/g)].map(
      ([, code = '', detail = '']) => ({ code, detail }),
    ),
    timings: [...(headers.get('server-timing') ?? '').matchAll(/([^\s,;]+);dur=([\d.]+)/g)].map(
      ([, step = '', durationMs = '']) => ({ step, durationMs: Number(durationMs) }),
    ),
    requestId: headers.get('x-request-id') ?? '',
    ...toBytes(response),
  };
}
