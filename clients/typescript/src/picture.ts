/** A picture in a response: metadata from the headers, and the bytes, which can be read only once. */
import { type AnsweredBytes, toBytes } from './answered-bytes.ts';

export interface Picture extends AnsweredBytes {
  /** Media type, such as `image/webp`. */
  readonly contentType: string;
  /** Pass this value as `ifNoneMatch` in a later call to check cheaply whether the picture has changed. */
  readonly etag: string;
  /** True if `ifNoneMatch` still matches; there are no bytes then. */
  readonly notModified: boolean;
  /** How the picture deviates from the request, such as a white backdrop because JPEG cannot be transparent. */
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
  /** Timings of the service's steps, in order. */
  readonly timings: readonly { readonly step: string; readonly durationMs: number }[];
  /** Id of the request, to quote in a report to the operator of the service. */
  readonly requestId: string;
}

export function toPicture(response: Response): Picture {
  const { headers } = response;
  return {
    contentType: headers.get('content-type') ?? '',
    etag: headers.get('etag') ?? '',
    notModified: response.status === 304,
    // The detail contains no quotes.
    warnings: [...(headers.get('x-packshot-notice') ?? '').matchAll(/(\w+);detail="([^"]*)"/g)].map(
      ([, code = '', detail = '']) => ({ code, detail }),
    ),
    timings: [...(headers.get('server-timing') ?? '').matchAll(/([^\s,;]+);dur=([\d.]+)/g)].map(
      ([, step = '', durationMs = '']) => ({ step, durationMs: Number(durationMs) }),
    ),
    requestId: headers.get('x-request-id') ?? '',
    ...toBytes(response),
  };
}
