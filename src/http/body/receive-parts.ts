/** Reads a multipart form part by part. Text and files are the same here: a stream of bytes with a name. */
import { finished } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import { echo } from '../echo.ts';
import { toFormError } from '../form-errors.ts';
import { type BodyLimits, type BodySink, createBytesSink, receiveBody } from './receive-body.ts';

export interface SentPart {
  /** Empty if the part has no name. */
  readonly name: string;
  readonly fileName: string | undefined;
  readonly type: string;
  /** Reads the part's bytes. A part that is not read is skipped. */
  readonly into: <T>(sink: BodySink<T>) => Promise<T>;
}

export interface FormRules extends BodyLimits {
  readonly mostParts: number;
  /** Whether file names include their folders. */
  readonly hasFolders?: boolean;
}

/**
 * Maximum bytes of a form's boundaries and part headers: `form`, plus `part` for each part. `part` suffices for a file
 * name of a few hundred characters.
 */
const headerBytes = { form: 4_096, part: 512 } as const;

/**
 * Calls `take` with each part; the next part is not read before its promise resolves. Throws `invalid_field`,
 * `missing_file` for a malformed form, `upload_timeout`, and the errors of `take` and of the limits.
 */
export async function receiveParts(
  request: FastifyRequest,
  rules: FormRules,
  take: (part: SentPart) => Promise<void>,
): Promise<void> {
  let parts = 0;
  let valueBytes = 0;
  await receiveBody(request, rules, async (countBytes) => {
    try {
      for await (const part of request.parts(partOptions(rules))) {
        if (part.type !== 'file') continue;
        parts++;
        await take(toSentPart(part));
        await finished(part.file.resume());
        valueBytes += part.file.bytesRead;
      }
    } catch (error) {
      throw toFormError(error);
    }
    if (countBytes() - valueBytes > headerBytes.form + parts * headerBytes.part)
      throw new PackshotError(
        'invalid_field',
        'A part header or a text field is too long; use short names and no headers except Content-Disposition and Content-Type.',
      );
  });
}

/** Every part is a file to the parser: so it keeps no text in memory, and parses none. */
const partOptions = ({ mostParts, hasFolders = false }: FormRules) => ({
  throwFileSizeLimit: false,
  isPartAFile: () => true,
  limits: { parts: mostParts, fileSize: Number.POSITIVE_INFINITY, headerPairs: 50 },
  ...{ preservePath: hasFolders, defParamCharset: 'utf8' },
});

const toSentPart = ({ fieldname, filename, mimetype, file }: MultipartFile): SentPart => ({
  name: fieldname ?? '',
  fileName: filename,
  type: mimetype,
  async into(sink) {
    for await (const piece of file) sink.push(piece as Buffer);
    return sink.end();
  },
});

/** Reads a text field. Throws `body_too_large`. */
export async function readTextPart({ name, into }: SentPart, mostBytes: number): Promise<string> {
  const tooLarge = () =>
    new PackshotError('body_too_large', `The field ${echo(name)} is larger than ${mostBytes} bytes.`);
  return (await into(createBytesSink(mostBytes, tooLarge))).toString('utf8');
}
