/** Completes the generated API document with error statuses, headers and examples, and removes unused schemas. */
import { type ErrorCode, errorTable } from 'packshot-errors';
import { operationNotes } from './api-operations.ts';
import { acceptNull } from './document-null.ts';
import { addBodyExamples, toCurl } from './document-samples.ts';
import type { OperationNotes } from './operation-notes.ts';

// biome-ignore lint/suspicious/noExplicitAny: the generated document has no static type; the tests lint the result.
type Node = any;

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const text = (description: string) => ({ description, schema: { type: 'string' } });
const count = (description: string) => ({ description, schema: { type: 'number' } });

const headers = {
  RequestId: text('Id of this call in the log; quote it when you ask for help.'),
  RateLimit: count('Calls that the key may make in one burst.'),
  RateRemaining: count('Remaining calls of that burst.'),
  RateReset: count('Seconds until the full burst is available again.'),
  Sandbox: text('`true` for a sandbox key; otherwise absent.'),
  RetryAfter: count('Seconds to wait before retrying.'),
  ETag: text('Strong validator; send it back in `If-None-Match`.'),
  ServerTiming: text('Milliseconds of each step that this call waited for.'),
  Notice: text(
    'Deviations from the request: flattened transparency, an enlarged product, another engine, a draft for want of time.',
  ),
  CreditsCharged: count('Credits that this picture cost.'),
  CreditsRemaining: count('Credits that the key has left; 999999999 for a key without a limit.'),
};

const parameters = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'ETags of pictures that you have; 304 if one of them is still current.',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'A repeated call with the same key and body gets the response of the first call.',
  },
};

/** Example responses that depend on the settings of the service, by `operationId`. */
export type Examples = Readonly<Record<string, unknown>>;

/**
 * Adds the notes to the document. Throws if an operation has no notes, or if there are notes for an unknown operation.
 */
export function documentOperations(document: Node, examples: Examples): Node {
  const left = new Set(Object.keys(operationNotes));
  for (const [path, methods] of Object.entries<Node>(document.paths)) {
    for (const [method, operation] of Object.entries<Node>(methods)) {
      const notes = operationNotes[operation.operationId];
      if (!notes) throw new Error(`src/http/api-operations.ts has no notes for ${operation.operationId}`);
      left.delete(operation.operationId);
      const response = examples[operation.operationId] ?? notes.response;
      documentOperation(operation, { ...notes, response });
      operation['x-codeSamples'] = [
        { lang: 'Shell', label: 'curl', source: toCurl(path, method, operation) },
      ];
    }
  }
  if (left.size > 0)
    throw new Error(`src/http/api-operations.ts has notes for unknown operations: ${[...left].join(', ')}`);
  Object.assign(document.components, { headers, parameters });
  acceptNull(document);
  shareFailures(document);
  dropUnused(document);
  return document;
}

function documentOperation(operation: Node, notes: OperationNotes): void {
  const needsNoKey = operation.security?.length === 0;
  const rates = needsNoKey
    ? {}
    : {
        ...Object.fromEntries(
          ['X-RateLimit', 'RateLimit'].flatMap((prefix) => [
            [`${prefix}-Limit`, ref('headers', 'RateLimit')],
            [`${prefix}-Remaining`, ref('headers', 'RateRemaining')],
            [`${prefix}-Reset`, ref('headers', 'RateReset')],
          ]),
        ),
        'X-Packshot-Sandbox': ref('headers', 'Sandbox'),
      };
  const common = { 'X-Request-Id': ref('headers', 'RequestId'), ...rates };
  const pictured = {
    ETag: ref('headers', 'ETag'),
    'Server-Timing': ref('headers', 'ServerTiming'),
    'X-Packshot-Notice': ref('headers', 'Notice'),
  };
  const charged = {
    'X-Credits-Charged': ref('headers', 'CreditsCharged'),
    'X-Credits-Remaining': ref('headers', 'CreditsRemaining'),
  };
  // The error format, if the operation belongs to a drop-in interface (one that imitates another service's API, such as
  // remove.bg's).
  const foreign = operation.responses.default?.content;
  delete operation.responses.default;
  for (const response of Object.values<Node>(operation.responses)) {
    response.description = notes.answers;
    response.headers = {
      ...common,
      ...(notes.picture && pictured),
      ...(notes.charged && charged),
      ...Object.fromEntries(Object.entries(notes.headers ?? {}).map(([name, says]) => [name, text(says)])),
    };
    const json = response.content?.['application/json'];
    if (json && notes.response !== undefined) json.example = notes.response;
  }
  if (notes.picture) {
    operation.responses['304'] = {
      description: 'You already have this picture.',
      headers: {
        ...{ ...common, ...(notes.charged && charged), ETag: ref('headers', 'ETag') },
        'Server-Timing': ref('headers', 'ServerTiming'),
      },
    };
  }
  Object.assign(
    operation.responses,
    describeErrors(notes.errors ?? [], { ...common, ...(notes.charged && charged) }),
    describeFailures(notes, foreign, common),
  );
  addBodyExamples(operation.requestBody?.content ?? {}, notes.request);
  const added = [
    ...(notes.picture ? [ref('parameters', 'IfNoneMatch')] : []),
    ...(notes.once ? [ref('parameters', 'IdempotencyKey')] : []),
  ];
  if (added.length > 0) operation.parameters = [...(operation.parameters ?? []), ...added];
}

/** Error responses of a drop-in interface. They all have the same format, whatever the status. */
function describeFailures(
  { failures = {}, failure }: OperationNotes,
  foreign: Node,
  common: object,
): Record<string, object> {
  const json = { ...foreign?.['application/json'], example: failure };
  const content = { 'application/json': json };
  const headers = { ...common, 'Retry-After': ref('headers', 'RetryAfter') };
  return Object.fromEntries(
    Object.entries(failures).map(([status, description]) => [status, { description, headers, content }]),
  );
}

function describeErrors(codes: readonly ErrorCode[], common: object): Record<string, object> {
  const byStatus = Map.groupBy([...new Set(codes)], (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, its]) => [
        String(status),
        {
          description: its.map((code) => `\`${code}\`: ${errorTable[code].title}.`).join(' '),
          headers: {
            ...common,
            ...(its.some((code) => errorTable[code].retryable) && {
              'Retry-After': ref('headers', 'RetryAfter'),
            }),
          },
          content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
        },
      ]),
  );
}

/** Describes equal failures once, because most operations have the same ones. */
function shareFailures(document: Node): void {
  const names = new Map<string, string>();
  const failures: Record<string, Node> = {};
  for (const { responses } of Object.values<Node>(document.paths).flatMap((methods) =>
    Object.values<Node>(methods),
  )) {
    for (const [status, failure] of Object.entries<Node>(responses).filter(
      ([status]) => Number(status) >= 400,
    )) {
      const text = JSON.stringify(failure);
      const name = names.get(text) ?? `Failure${status}${nameNext(failures, status)}`;
      names.set(text, name);
      failures[name] = failure;
      responses[status] = ref('responses', name);
    }
  }
  document.components.responses = failures;
}

/** Empty for the first failure of a status, then 2, 3 and so on. */
function nameNext(failures: Readonly<Record<string, Node>>, status: string): string {
  const before = Object.keys(failures).filter((name) => name.startsWith(`Failure${status}`)).length;
  return before === 0 ? '' : `_${before + 1}`;
}

/**
 * Removes unused schemas: the generator writes each schema twice, for requests and for responses, and most are needed
 * only once. Sorts the remaining schemas: those of requests, then the error response, then all others.
 */
function dropUnused(document: Node): void {
  const { Problem, ...schemas } = document.components.schemas;
  const used = new Set<string>();
  const visit = (node: Node): void => {
    if (typeof node !== 'object' || node === null) return;
    const name = typeof node.$ref === 'string' ? node.$ref.split('/').at(-1) : undefined;
    if (name in schemas && !used.has(name)) {
      used.add(name);
      visit(schemas[name]);
    }
    Object.values(node).forEach(visit);
  };
  visit(document.paths);
  visit(document.components.responses);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  const isRequest = ([name]: [string, Node]): boolean => name.endsWith('Input');
  document.components.schemas = Object.fromEntries([
    ...kept.filter(isRequest),
    ['Problem', Problem],
    ...kept.filter((entry) => !isRequest(entry)),
  ]);
}
