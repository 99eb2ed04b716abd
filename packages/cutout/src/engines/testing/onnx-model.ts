/** Writes small ONNX files with predictable results: each output channel is a weighted sum of the color channels. */
import { toHalf } from '../half-precision.ts';

/** Field numbers and values as in onnx/onnx.proto (ONNX IR version 8, opset 13). */
const IR_VERSION = 8;
const OPSET = 13;
const elementTypes = { float32: 1, uint8: 2, float16: 10 } as const;
type ElementType = keyof typeof elementTypes;

export interface TinyModel {
  readonly inputType?: ElementType;
  /** Dimensions of the input; a name stands for a dynamic size. */
  readonly inputShape: readonly (number | string)[];
  /** For each output channel, the weights of the three input channels, in the network's channel order. */
  readonly weights: readonly (readonly [number, number, number])[];
  /** One offset for each output channel. */
  readonly bias: readonly number[];
  readonly outputType?: ElementType;
  /** Whether the last step is a sigmoid, as in networks that return probabilities. */
  readonly sigmoid?: boolean;
  /** Number of additional outputs before the real one; all their values are zero. */
  readonly leadingOutputs?: number;
  /** Number of additional inputs after the picture. */
  readonly extraInputs?: number;
}

/** The input is named `picture`, the output `plane`. */
export function makeTinyModel(model: TinyModel): Buffer {
  const { inputType = 'float32', outputType = 'float32' } = model;
  const nodes: Buffer[] = [];
  let last = 'picture';
  const add = (operator: string, inputs: readonly string[], attributes: readonly Buffer[] = []) => {
    const output = `step${nodes.length}`;
    nodes.push(makeNode(operator, inputs, output, attributes));
    last = output;
  };
  if (inputType !== 'float32') add('Cast', [last], [integer('to', elementTypes.float32)]);
  add('Conv', [last, 'weights', 'bias'], [integers('kernel_shape', [1, 1]), integers('strides', [1, 1])]);
  if (model.sigmoid) add('Sigmoid', [last]);
  const real = last;
  add('Cast', [real], [integer('to', elementTypes[outputType])]);
  nodes.push(makeNode('Identity', [last], 'plane', []));
  const leading = Array.from({ length: model.leadingOutputs ?? 0 }, (_, i) => `side${i}`);
  for (const name of leading) nodes.push(makeNode('Sub', [real, real], name, []));

  const free = ['n', 'a', 'b', 'c'];
  const extra = Array.from({ length: model.extraInputs ?? 0 }, (_, i) =>
    bytes(11, makeValueInfo(`extra${i}`, 'float32', [1])),
  );
  const channels = model.weights.length;
  return makeFile([
    ...nodes.map((node) => bytes(1, node)),
    bytes(5, makeFloats('weights', [channels, 3, 1, 1], model.weights.flat())),
    bytes(5, makeFloats('bias', [channels], model.bias)),
    bytes(11, makeValueInfo('picture', inputType, model.inputShape)),
    ...extra,
    ...leading.map((name) => bytes(12, makeValueInfo(name, 'float32', free))),
    bytes(12, makeValueInfo('plane', outputType, free)),
  ]);
}

/**
 * Makes a model whose output is the mean of the color channels, computed at half the width and height and then enlarged
 * again; `half` is also an output. Picture and output are squares. As PyTorch exports it, the `Resize` gets batch and
 * channels from the value before it, and height and width from a constant.
 */
export function makeHalvingModel(side: number): Buffer {
  const half = makeValueInfo('half', 'float32', [1, 1, side / 2, side / 2]);
  const nodes = [
    makeNode('Conv', ['picture', 'weights'], 'half', [integers('strides', [2, 2])]),
    makeNode('Shape', ['half'], 'halfShape', []),
    makeNode('Slice', ['halfShape', 'zero', 'two'], 'copied', []),
    makeNode('Constant', [], 'sides', [tensor('value', makeIntegers('', [side, side]))]),
    makeNode('Concat', ['copied', 'sides'], 'target', [integer('axis', 0)]),
    makeNode('Resize', ['half', '', '', 'target'], 'plane', [word('mode', 'linear')]),
  ];
  return makeFile([
    ...nodes.map((node) => bytes(1, node)),
    bytes(5, makeFloats('weights', [1, 3, 1, 1], [1 / 3, 1 / 3, 1 / 3])),
    bytes(5, makeIntegers('zero', [0])),
    bytes(5, makeIntegers('two', [2])),
    bytes(11, makeValueInfo('picture', 'float32', [1, 3, side, side])),
    bytes(12, makeValueInfo('plane', 'float32', [1, 1, side, side])),
    bytes(12, half),
    bytes(13, half),
  ]);
}

/**
 * Makes a model that computes in half precision: its output is a weighted mean of the color channels plus 0.5. The
 * input and the output are in single precision.
 */
export function makeHalfPrecisionModel(side: number): Buffer {
  const nodes = [
    makeNode('Cast', ['picture'], 'narrow', [integer('to', elementTypes.float16)]),
    makeNode('Conv', ['narrow', 'weights'], 'mean', []),
    makeNode('Constant', [], 'half', [tensor('value', makeFloats('', [1], [0.5], 'float16'))]),
    makeNode('Add', ['mean', 'half'], 'sum', []),
    makeNode('Cast', ['sum'], 'plane', [integer('to', elementTypes.float32)]),
  ];
  return makeFile([
    ...nodes.map((node) => bytes(1, node)),
    bytes(5, makeFloats('weights', [1, 3, 1, 1], [0.25, 0.5, 0.25], 'float16')),
    bytes(11, makeValueInfo('picture', 'float32', [1, 3, side, side])),
    bytes(12, makeValueInfo('plane', 'float32', [1, 1, side, side])),
  ]);
}

const makeFile = (graph: readonly Buffer[]): Buffer =>
  Buffer.concat([
    number(1, IR_VERSION),
    bytes(7, Buffer.concat([...graph, text(2, 'tiny')])),
    bytes(8, number(2, OPSET)),
  ]);

function makeNode(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Buffer[],
): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, operator),
    ...attributes.map((attribute) => bytes(5, attribute)),
  ]);
}

/** AttributeProto.type: 2 is INT, 3 is STRING, 4 is TENSOR, 7 is INTS. */
const integer = (name: string, value: number): Buffer =>
  Buffer.concat([text(1, name), number(3, value), number(20, 2)]);
const integers = (name: string, values: readonly number[]): Buffer =>
  Buffer.concat([text(1, name), ...values.map((value) => number(8, value)), number(20, 7)]);

const word = (name: string, value: string): Buffer =>
  Buffer.concat([text(1, name), text(4, value), number(20, 3)]);
const tensor = (name: string, value: Buffer): Buffer =>
  Buffer.concat([text(1, name), bytes(5, value), number(20, 4)]);

const makeIntegers = (name: string, values: readonly number[]): Buffer =>
  Buffer.concat([
    number(1, values.length),
    number(2, 7),
    text(8, name),
    bytes(9, Buffer.from(BigInt64Array.from(values, BigInt).buffer)),
  ]);

function makeFloats(
  name: string,
  dims: readonly number[],
  values: readonly number[],
  type: 'float32' | 'float16' = 'float32',
): Buffer {
  const stored = type === 'float32' ? Float32Array.from(values) : Uint16Array.from(values, toHalf);
  const raw = Buffer.from(stored.buffer);
  return Buffer.concat([
    ...dims.map((size) => number(1, size)),
    number(2, elementTypes[type]),
    text(8, name),
    bytes(9, raw),
  ]);
}

function makeValueInfo(name: string, type: ElementType, shape: readonly (number | string)[]): Buffer {
  const dims = shape.map((size) => bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  const tensor = Buffer.concat([number(1, elementTypes[type]), bytes(2, Buffer.concat(dims))]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, tensor))]);
}

/**
 * In protobuf, a key combines the field's number and its wire type, which is 0 for a varint and 2 for bytes with a
 * length.
 */
const number = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field: number, value: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value));

function varint(value: number): Buffer {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128);
  return Buffer.from([...groups, rest]);
}
