/** Writes the three networks of a tiny diffusion model as ONNX files whose outputs can be computed by hand. */

/** Field numbers and values are those of onnx/onnx.proto (ONNX IR version 8, opset 13). */
const IR_VERSION = 8;
const OPSET = 13;
const elementTypes = { float32: 1, int32: 6, int64: 7, float16: 10 } as const;
type ElementType = keyof typeof elementTypes;

/** A string stands for a free size. */
type Shape = readonly (number | string)[];

export interface TinyTextEncoder {
  readonly idType?: 'int32' | 'int64';
  readonly outputType?: 'float32' | 'float16';
  readonly shape?: Shape;
  /** One row of numbers per token ID. */
  readonly table: readonly (readonly number[])[];
}

/** The network returns each token's row of the table, as `last_hidden_state`. */
export function makeTextEncoder({
  idType = 'int64',
  outputType = 'float32',
  shape = ['batch', 'length'],
  table,
}: TinyTextEncoder): Buffer {
  return makeFile({
    inputs: [{ name: 'input_ids', type: idType, shape }],
    outputs: [{ name: 'last_hidden_state', type: outputType, shape: [...shape, table[0]!.length] }],
    nodes: [
      node('Gather', ['table', 'input_ids'], 'rows', [integer('axis', 0)]),
      node('Cast', ['rows'], 'last_hidden_state', [integer('to', elementTypes[outputType])]),
    ],
    floats: [{ name: 'table', dims: [table.length, table[0]!.length], values: table.flat() }],
  });
}

export interface TinyUnet {
  readonly type?: 'float32' | 'float16';
  readonly timestepType?: 'int64' | 'float32';
  readonly timestepShape?: Shape;
  readonly shape: Shape;
  /** Weights: one row per output channel, one column per input channel. */
  readonly mix: readonly (readonly number[])[];
  readonly ofTimestep: number;
  readonly ofPromptMean: number;
  /** Name of an additional input, which plain Stable Diffusion models do not have. */
  readonly extraInput?: string;
}

/** The network computes `mix · sample + ofTimestep · timestep + ofPromptMean · mean(encoder_hidden_states)`. */
export function makeUnet(unet: TinyUnet): Buffer {
  const { type = 'float32', timestepType = 'int64', timestepShape = ['steps'] } = unet;
  const { shape, mix, ofTimestep, ofPromptMean, extraInput } = unet;
  const float = integer('to', elementTypes.float32);
  return makeFile({
    inputs: [
      { name: 'sample', type, shape },
      { name: 'timestep', type: timestepType, shape: timestepShape },
      { name: 'encoder_hidden_states', type, shape: ['batch', 'length', 'width'] },
      ...(extraInput === undefined ? [] : [{ name: extraInput, type, shape: [1] }]),
    ],
    outputs: [{ name: 'out_sample', type, shape }],
    nodes: [
      node('Cast', ['sample'], 'latent', [float]),
      node('Conv', ['latent', 'mix'], 'mixed', [integers('kernel_shape', [1, 1])]),
      node('Cast', ['timestep'], 'time', [float]),
      node('Mul', ['time', 'ofTimestep'], 'timePart', []),
      node('Cast', ['encoder_hidden_states'], 'prompt', [float]),
      node('ReduceMean', ['prompt'], 'promptMean', [integer('keepdims', 0)]),
      node('Mul', ['promptMean', 'ofPromptMean'], 'promptPart', []),
      node('Add', ['mixed', 'timePart'], 'withTime', []),
      node('Add', ['withTime', 'promptPart'], 'whole', []),
      node('Cast', ['whole'], 'out_sample', [integer('to', elementTypes[type])]),
    ],
    floats: [
      { name: 'mix', dims: [mix.length, mix[0]!.length, 1, 1], values: mix.flat() },
      { name: 'ofTimestep', dims: [1], values: [ofTimestep] },
      { name: 'ofPromptMean', dims: [1], values: [ofPromptMean] },
    ],
  });
}

export interface TinyDecoder {
  readonly type?: 'float32' | 'float16';
  readonly shape: Shape;
  /** Weights: one row per color channel, one column per latent channel. */
  readonly mix: readonly (readonly number[])[];
  /** Picture pixels per latent pixel. */
  readonly enlarge: number;
}

/** The network computes `mix · latent_sample`, with each pixel repeated, as `sample`. */
export function makeDecoder({ type = 'float32', shape, mix, enlarge }: TinyDecoder): Buffer {
  const channels = mix.length;
  const sides = [enlarge, enlarge];
  return makeFile({
    inputs: [{ name: 'latent_sample', type, shape }],
    outputs: [{ name: 'sample', type, shape: ['batch', channels, 'high', 'wide'] }],
    nodes: [
      node('Cast', ['latent_sample'], 'latent', [integer('to', elementTypes.float32)]),
      node('Conv', ['latent', 'mix'], 'colors', [integers('kernel_shape', [1, 1])]),
      node('ConvTranspose', ['colors', 'ones'], 'large', [
        integers('kernel_shape', sides),
        integers('strides', sides),
        integer('group', channels),
      ]),
      node('Cast', ['large'], 'sample', [integer('to', elementTypes[type])]),
    ],
    floats: [
      { name: 'mix', dims: [channels, mix[0]!.length, 1, 1], values: mix.flat() },
      {
        name: 'ones',
        dims: [channels, 1, enlarge, enlarge],
        values: Array.from({ length: channels * enlarge * enlarge }, () => 1),
      },
    ],
  });
}

interface ValueInfo {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: Shape;
}

interface TinyFile {
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
  readonly nodes: readonly Buffer[];
  readonly floats: readonly {
    readonly name: string;
    readonly dims: readonly number[];
    readonly values: readonly number[];
  }[];
}

function makeFile({ inputs, outputs, nodes, floats }: TinyFile): Buffer {
  const graph = Buffer.concat([
    ...nodes.map((each) => bytes(1, each)),
    text(2, 'tiny'),
    ...floats.map(({ name, dims, values }) =>
      bytes(
        5,
        Buffer.concat([
          ...dims.map((size) => number(1, size)),
          number(2, elementTypes.float32),
          text(8, name),
          bytes(9, Buffer.from(Float32Array.from(values).buffer)),
        ]),
      ),
    ),
    ...inputs.map((each) => bytes(11, valueInfo(each))),
    ...outputs.map((each) => bytes(12, valueInfo(each))),
  ]);
  return Buffer.concat([number(1, IR_VERSION), bytes(7, graph), bytes(8, number(2, OPSET))]);
}

function node(
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

/** Values of AttributeProto.type: 2 is INT, 7 is INTS. */
const integer = (name: string, value: number): Buffer =>
  Buffer.concat([text(1, name), number(3, value), number(20, 2)]);
const integers = (name: string, values: readonly number[]): Buffer =>
  Buffer.concat([text(1, name), ...values.map((value) => number(8, value)), number(20, 7)]);

function valueInfo({ name, type, shape }: ValueInfo): Buffer {
  const dims = shape.map((size) => bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  const tensor = Buffer.concat([number(1, elementTypes[type]), bytes(2, Buffer.concat(dims))]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, tensor))]);
}

/** Protocol buffers: a key consists of field number and wire type, 0 for a varint or 2 for length-delimited bytes. */
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
