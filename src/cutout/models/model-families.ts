/** What the well-known families of background removal models want to be fed, so that nobody has to look it up. */
import type { ModelDescription } from '../engines/onnx-description.ts';

export interface ModelFamily {
  readonly input: ModelDescription['input'];
  readonly output: ModelDescription['output'];
  /** Of the weights, as their authors state it. A fact to check, not advice. */
  readonly licence: string;
  readonly source: string;
  /** Said when the family is installed: what we could not confirm. */
  readonly uncertain?: string;
}

const IMAGENET = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] } as const;
const HALF = { mean: [0.5, 0.5, 0.5], std: [1, 1, 1] } as const;

function feed(sidePx: number, { mean, std }: typeof IMAGENET | typeof HALF): ModelDescription['input'] {
  return {
    width: sidePx,
    height: sidePx,
    mean: [...mean],
    std: [...std],
    layout: 'nchw',
    colorOrder: 'rgb',
    fit: 'stretch',
  };
}

const logits: ModelDescription['output'] = { activation: 'sigmoid', range: 'none' };
const stretched: ModelDescription['output'] = { activation: 'none', range: 'minmax' };
const finished: ModelDescription['output'] = { activation: 'none', range: 'none' };

const checkOutput =
  'Exports differ in whether the last sigmoid is inside. If the check at the start finds values beyond 0 to 1, set output.activation to "sigmoid".';

/**
 * Sizes, means and ranges as in danielgatis/rembg at 684f8e9, `rembg/sessions/*.py`, unless a line says otherwise.
 * rembg feeds u2net and isnet values divided by the photo's own maximum; here it is always 255, as in training.
 */
export const modelFamilies: Readonly<Record<string, ModelFamily>> = {
  u2net: {
    input: feed(320, IMAGENET),
    output: stretched,
    licence: 'Apache-2.0 (code; the repository states nothing else for the weights)',
    source: 'https://github.com/xuebinqin/U-2-Net',
  },
  u2netp: {
    input: feed(320, IMAGENET),
    output: stretched,
    licence: 'Apache-2.0 (code; the repository states nothing else for the weights)',
    source: 'https://github.com/xuebinqin/U-2-Net',
  },
  isnet: {
    input: feed(1024, HALF),
    output: stretched,
    licence: 'Apache-2.0 (code; the licence of the weights is not clearly stated)',
    source: 'https://github.com/xuebinqin/DIS',
  },
  // onnx-community/BiRefNet_lite-ONNX, preprocessor_config.json; its exports answer logits.
  birefnet: {
    input: feed(1024, IMAGENET),
    output: logits,
    licence: 'MIT',
    source: 'https://github.com/ZhengPeng7/BiRefNet',
  },
  // briaai/RMBG-1.4, preprocessor_config.json, and its example, which stretches each answer.
  'rmbg-1.4': {
    input: feed(1024, HALF),
    output: stretched,
    licence: 'bria-rmbg-1.4: non-commercial use only; commercial use by agreement with BRIA AI',
    source: 'https://huggingface.co/briaai/RMBG-1.4',
  },
  'rmbg-2.0': {
    input: feed(1024, IMAGENET),
    output: finished,
    licence: 'CC BY-NC 4.0: non-commercial use only; commercial use by agreement with BRIA AI',
    source: 'https://huggingface.co/briaai/RMBG-2.0',
    uncertain: checkOutput,
  },
  // onnx-community/BEN2-ONNX, preprocessor_config.json as mirrored.
  ben2: {
    input: feed(1024, IMAGENET),
    output: finished,
    licence: 'MIT (the base model)',
    source: 'https://huggingface.co/PramaLLC/BEN2',
    uncertain: checkOutput,
  },
  // Mean and std from OS-Software/InSPyReNet-SwinB-Plus-Ultra-ONNX, preprocessor_config.json; the size is that of
  // the base model.
  inspyrenet: {
    input: feed(1024, IMAGENET),
    output: finished,
    licence: 'MIT',
    source: 'https://github.com/plemeri/InSPyReNet',
    uncertain: `The fast model wants 384 px. ${checkOutput}`,
  },
  // ZHKKKe/MODNet, onnx/inference_onnx.py: (value - 127.5) / 127.5, a matte from 0 to 1, sides of multiples of 32.
  modnet: {
    input: { ...feed(512, HALF), std: [0.5, 0.5, 0.5] },
    output: finished,
    licence: 'Apache-2.0 (code and weights, by its README; uncertain for older copies)',
    source: 'https://github.com/ZHKKKe/MODNet',
    uncertain: 'Made for portraits: expect little of it for products.',
  },
};
