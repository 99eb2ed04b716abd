/** Writes the folder of a tiny diffusion model. The folder is complete unless a test leaves out a file. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  makeDecoder,
  makeTextEncoder,
  makeUnet,
  type TinyDecoder,
  type TinyTextEncoder,
  type TinyUnet,
} from './tiny-networks.ts';

/** `!` is the padding token; a prompt's words are `a`, `red` and `cube`. */
const vocabulary = {
  '!': 0,
  'a</w>': 1,
  r: 2,
  e: 3,
  d: 4,
  'd</w>': 5,
  re: 6,
  'red</w>': 7,
  c: 8,
  u: 9,
  b: 10,
  'e</w>': 11,
  cu: 12,
  'be</w>': 13,
  'cube</w>': 14,
  '<|startoftext|>': 15,
  '<|endoftext|>': 16,
};
const merges = ['#version: 0.2', 'r e', 're d</w>', 'c u', 'b e</w>', 'cu be</w>'];

/** Token IDs of "a red cube", before padding with zeros. */
export const redCubeIds = [15, 1, 7, 14, 16];

/** Three numbers per token. All are multiples of an eighth, which half precision represents exactly. */
export const promptTable = Array.from({ length: 17 }, (_, row) =>
  [1, 2, 3].map((column) => (((row * 7 + column * 5) % 13) - 6) / 8),
);

export const latentMix = [
  [0.9, 0, 0.125, 0],
  [0, 0.75, 0, -0.25],
  [0.5, 0, 0.5, 0],
  [0, 0.25, 0, 1],
];
export const ofTimestep = 0.0002;
export const ofPromptMean = 0.5;
export const colorMix = [
  [0.01, 0, 0.005, 0],
  [0, 0.0125, 0, -0.0075],
  [0.0075, -0.005, 0.0075, 0.005],
];
export const enlarge = 2;

export interface TinyFolder {
  readonly text?: Partial<TinyTextEncoder>;
  readonly unet?: Partial<TinyUnet>;
  readonly decoder?: Partial<TinyDecoder>;
  /** Files with other content than usual; undefined omits the file. */
  readonly files?: Readonly<Record<string, string | Buffer | undefined>>;
}

/** By default, latents are 6×4 pixels, and there are no configuration files, because SD-Turbo needs none. */
export async function writeModelFolder(
  folder: string,
  { text, unet, decoder, files }: TinyFolder = {},
): Promise<string> {
  const shape = [1, 4, 4, 6];
  const all: Record<string, string | Buffer | undefined> = {
    'text_encoder/model.onnx': makeTextEncoder({ table: promptTable, ...text }),
    'unet/model.onnx': makeUnet({ shape, mix: latentMix, ofTimestep, ofPromptMean, ...unet }),
    'vae_decoder/model.onnx': makeDecoder({
      shape: ['batch', 4, 'h', 'w'],
      mix: colorMix,
      enlarge,
      ...decoder,
    }),
    'tokenizer/vocab.json': JSON.stringify(vocabulary),
    'tokenizer/merges.txt': `${merges.join('\n')}\n`,
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    if (content === undefined) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** For exports that have their whole tokenizer in one file. */
export const wholeTokenizer = JSON.stringify({
  model: { type: 'BPE', vocab: vocabulary, merges: merges.slice(1).map((pair) => pair.split(' ')) },
});
