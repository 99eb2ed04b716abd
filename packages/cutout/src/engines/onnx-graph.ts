/**
 * Reads and writes ONNX files field by field (onnx/onnx.proto). Unchanged fields are slices of the original file, so
 * the weights are copied only once, into the new file.
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Field numbers of the protobuf messages that this code reads or changes. */
export const fieldOf = {
  model: { graph: 7 },
  graph: { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 },
  node: { input: 1, output: 2, operator: 4, attribute: 5 },
  attribute: { name: 1, integer: 3, tensor: 5 },
  tensor: { dims: 1, type: 2, name: 8, raw: 9 },
  valueInfo: { name: 1, type: 2 },
  type: { tensor: 1 },
  tensorType: { shape: 2 },
  shape: { dim: 1 },
  dim: { value: 1 },
} as const;

/** TensorProto.DataType. */
export const elementType = { float32: 1, float16: 10 } as const;

export interface Field {
  readonly number: number;
  /** Content of a length-delimited field; empty for all others. */
  readonly content: Uint8Array;
  /** Value of an integer field; 0 for all others. */
  readonly integer: number;
  /** The whole field as stored in the file: key, length and content. */
  readonly raw: Uint8Array;
}

/** Throws if the bytes are not a protobuf message. */
export function readFields(message: Uint8Array): Field[] {
  const reader = new BinaryReader(message);
  const fields: Field[] = [];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [number, wireType] = reader.tag();
    let content: Uint8Array = empty;
    let integer = 0;
    if (wireType === WireType.LengthDelimited) content = reader.bytes();
    else if (wireType === WireType.Varint) integer = Number(reader.int64());
    else reader.skip(wireType, number);
    fields.push({ number, content, integer, raw: message.subarray(start, reader.pos) });
  }
  return fields;
}

const empty = new Uint8Array();

export const readText = (content: Uint8Array): string => Buffer.from(content).toString();

export const findField = (fields: readonly Field[], number: number): Field | undefined =>
  fields.find((field) => field.number === number);

export const listTexts = (fields: readonly Field[], number: number): string[] =>
  fields.filter((field) => field.number === number).map(({ content }) => readText(content));

/** Consecutive parts of a message. They are joined only once, at the end. */
export type Parts = readonly Uint8Array[];

export const countBytes = (parts: Parts): number => parts.reduce((sum, part) => sum + part.length, 0);

/** A field whose content is a message in parts. */
export const wrap = (number: number, parts: Parts): Parts => [
  new BinaryWriter().tag(number, WireType.LengthDelimited).uint32(countBytes(parts)).finish(),
  ...parts,
];

export const textField = (number: number, text: string): Uint8Array =>
  new BinaryWriter().tag(number, WireType.LengthDelimited).string(text).finish();

export const integerField = (number: number, value: number): Uint8Array =>
  new BinaryWriter().tag(number, WireType.Varint).int64(value).finish();

/** `changes` has one function per field number. Replaces the content of these fields, and copies all others. */
export function mapFields(
  message: Uint8Array,
  changes: Readonly<Record<number, (content: Uint8Array) => Parts>>,
): Parts {
  return readFields(message).flatMap((field) => {
    const change = changes[field.number];
    return change ? wrap(field.number, change(field.content)) : [field.raw];
  });
}
