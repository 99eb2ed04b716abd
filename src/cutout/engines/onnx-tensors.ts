/** Converts pixels to a network's input tensor, and its output tensor to a plane, as the model's description says. */

import { PackshotError } from '../../errors.ts';
import { Tensor } from '../../onnxruntime.ts';
import { fromHalves, toHalf } from './half-precision.ts';
import type { ModelDescription } from './onnx-description.ts';

export type InputType = 'float32' | 'float16' | 'uint8';

/** One channel, row-major, in the network's own units or, after activation, from 0 to 1. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** The `input` of a model's description, with the size chosen for one picture, in pixels. */
export type FedInput = Omit<ModelDescription['input'], 'width' | 'height' | 'dynamic'> & {
  readonly width: number;
  readonly height: number;
};

/** `pixels` is interleaved RGB of size `width` × `height`. */
export function makeInputTensor(
  pixels: Uint8Array,
  type: InputType,
  { width, height, mean, std, layout, colorOrder }: FedInput,
): Tensor {
  const plane = width * height;
  const values = { float32: Float32Array, float16: Uint16Array, uint8: Uint8Array }[type];
  const input = new values(3 * plane);
  const planar = layout === 'nchw';
  for (let channel = 0; channel < 3; channel++) {
    // A table of 256 levels per channel avoids arithmetic per pixel.
    const levels = new values(256);
    for (let value = 0; value < 256; value++) {
      const fed = (value / 255 - mean[channel]!) / std[channel]!;
      levels[value] = type === 'uint8' ? value : type === 'float16' ? toHalf(fed) : fed;
    }
    const from = colorOrder === 'bgr' ? 2 - channel : channel;
    const step = planar ? 1 : 3;
    let at = planar ? channel * plane : channel;
    for (let i = 0, p = from; i < plane; i++, p += 3, at += step) input[at] = levels[pixels[p]!]!;
  }
  const tensor = new Tensor(type, input, planar ? [1, 3, height, width] : [1, height, width, 3]);
  // From Node 24 on, `onnxruntime-node` converts half-precision values to a Float16Array, whose length the
  // library's native code reads as 0 (microsoft/onnxruntime pull request 32323, not part of 1.30). The native
  // code also accepts a Uint16Array of the same bits.
  if (type === 'float16') Object.defineProperty(tensor, 'data', { value: input });
  return tensor;
}

/**
 * Returns the product's channel in the network's own units, or after the `softmax` over the channels if the description
 * requests it. Throws `internal` if the tensor does not match the description.
 */
export function readPlane(
  tensor: Tensor,
  { activation, channel }: ModelDescription['output'],
  layout: ModelDescription['input']['layout'],
): Plane {
  const { channels, width, height, planar } = readShape(tensor.dims, layout);
  const values = toFloats(tensor);
  if (channels > 1 && channel === undefined)
    throw doesNotFit(
      `the model returns ${channels} channels: set output.channel to the product's, starting from 0`,
    );
  const chosen = channel ?? 0;
  if (chosen >= channels)
    throw doesNotFit(`output.channel is ${chosen}, but the model returns ${channels} channels`);
  if (activation === 'softmax' && channels < 2)
    throw doesNotFit('output.activation is softmax, but the model returns one channel');

  const size = width * height;
  const pixelStep = planar ? 1 : channels;
  const channelStep = planar ? size : 1;
  const data = new Float32Array(size);
  for (let i = 0; i < size; i++) {
    const at = i * pixelStep;
    const value = values[at + chosen * channelStep]!;
    if (activation === 'softmax') {
      // e^v / sum(e^each). Numerator and denominator are divided by e^v, which may be too large for a number.
      let sum = 0;
      for (let each = 0; each < channels; each++) sum += Math.exp(values[at + each * channelStep]! - value);
      data[i] = 1 / sum;
    } else data[i] = value;
  }
  return { width, height, data };
}

/**
 * Applies the sigmoid and the min-max stretch in place, if the description requests them. The stretch turns a constant
 * plane into 0.
 */
export function activate({ data }: Plane, { activation, range }: ModelDescription['output']): void {
  if (activation === 'sigmoid') for (let i = 0; i < data.length; i++) data[i] = 1 / (1 + Math.exp(-data[i]!));
  if (range === 'none') return;
  const [low, high] = findExtremes(data);
  const spread = high - low;
  for (let i = 0; i < data.length; i++) data[i] = spread < 1e-6 ? 0 : (data[i]! - low) / spread;
}

/** Minimum and maximum. Throws `internal` if a value is NaN, which fp16 graphs return when they overflow. */
export function findExtremes(data: Float32Array): [low: number, high: number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of data) {
    if (Number.isNaN(value))
      throw new PackshotError('internal', 'The removal model returned values that are not numbers.');
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

export function doesNotFit(what: string): PackshotError {
  return new PackshotError('internal', `The removal model does not match its description: ${what}.`);
}

function readShape(dims: readonly number[], layout: 'nchw' | 'nhwc') {
  const shape = dims.length === 4 ? dims.slice(1) : [...dims];
  if (shape.length < 2 || shape.length > 3 || (dims.length === 4 && dims[0] !== 1))
    throw doesNotFit(`the model returns the shape [${dims.join(', ')}], not one plane or several channels`);
  // [height, width] and [1, height, width] are one plane in either layout.
  if (shape.length === 2) shape.unshift(1);
  const planar = layout === 'nchw' || (dims.length < 4 && shape[0] === 1);
  const [channels, height, width] = planar ? shape : [shape[2], shape[0], shape[1]];
  return { channels: channels!, height: height!, width: width!, planar };
}

/** Converts the tensor's values to floats; a `uint8` value of 255 becomes 1. */
function toFloats({ type, data }: Tensor): Float32Array {
  if (type === 'float32') return data as Float32Array;
  const { buffer, byteOffset, length } = data as Uint8Array;
  // On Node 24, `data` is a Float16Array; on Node 22, it is a Uint16Array of the same bits.
  if (type === 'float16') return fromHalves(new Uint16Array(buffer, byteOffset, length));
  if (type === 'uint8') return Float32Array.from(data as Uint8Array, (value) => value / 255);
  throw doesNotFit(`the model returns ${type}; float32, float16 and uint8 are supported`);
}
