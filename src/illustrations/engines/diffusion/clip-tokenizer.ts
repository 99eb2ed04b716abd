/** CLIP tokenizer: prompt to token ids by byte pair encoding (Sennrich et al. 2016, arXiv 1508.07909). */
import { PackshotError } from '../../../errors.ts';

export interface ClipVocabulary {
  /** Token IDs by token. Tokens that end a word have the suffix `</w>`. */
  readonly ids: ReadonlyMap<string, number>;
  /** Pairs of tokens to merge, separated by a space, in order of priority. */
  readonly merges: readonly string[];
  /** Number of token IDs per prompt, including start and end; 77 for CLIP. */
  readonly length: number;
  /** Padding token: `!` (id 0) for OpenCLIP's encoders, `<|endoftext|>` for OpenAI's encoders. */
  readonly padding: string;
}

export interface TokenizedPrompt {
  /** Exactly as many IDs as the vocabulary's `length`. */
  readonly ids: readonly number[];
  /** Whether the end of the prompt was truncated. */
  readonly isCut: boolean;
}

/**
 * The pattern of openai/CLIP, clip/simple_tokenizer.py, but without the start and end tokens, so that a prompt that
 * contains the literal text `<|endoftext|>` is not cut off there.
 */
const wordPattern = /'s|'t|'re|'ve|'m|'ll|'d|\p{Letter}+|\p{Number}|[^\s\u0085\p{Letter}\p{Number}]+/gu;

/** Throws `internal` if the vocabulary lacks the start, end or padding token. */
export function createClipTokenizer({ ids, merges, length, padding }: ClipVocabulary) {
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const start = numberOf('<|startoftext|>');
  const end = numberOf('<|endoftext|>');
  const paddingId = numberOf(padding);

  function numberOf(piece: string): number {
    const id = ids.get(piece);
    if (id === undefined)
      throw new PackshotError('internal', `The tokenizer's vocabulary lacks ${piece}: it is not CLIP's.`);
    return id;
  }

  return function tokenize(prompt: string): TokenizedPrompt {
    const words = prompt.normalize('NFC').toLowerCase().match(wordPattern) ?? [];
    const tokenIds: number[] = [];
    for (const word of words) {
      // CLIP's vocabulary covers every byte. If a vocabulary lacks some bytes, a piece that it does not contain becomes
      // the end token, as in CLIP's tokenizer, which declares the end token as the one for unknown pieces.
      for (const piece of mergePieces(spellBytes(word), ranks)) tokenIds.push(ids.get(piece) ?? end);
      if (tokenIds.length > length - 2) break;
    }
    const kept = tokenIds.slice(0, length - 2);
    const padded = Array.from({ length: length - 2 - kept.length }, () => paddingId);
    return { ids: [start, ...kept, end, ...padded], isCut: tokenIds.length > kept.length };
  };
}

/** Returns one printable character per byte; the last one has the suffix `</w>`. */
function spellBytes(word: string): string[] {
  const pieces = Array.from(Buffer.from(word, 'utf8'), (byte) => letters[byte]!);
  pieces[pieces.length - 1] += '</w>';
  return pieces;
}

/** Printable bytes map to themselves, all others to characters from code 256 on (openai/gpt-2, encoder.py). */
const letters: readonly string[] = (() => {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const prints = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCharCode(prints ? byte : next++);
  });
})();

function mergePieces(letterPieces: readonly string[], ranks: ReadonlyMap<string, number>): string[] {
  let pieces = [...letterPieces];
  for (;;) {
    let best = Number.POSITIVE_INFINITY;
    let pair = '';
    for (let at = 0; at + 1 < pieces.length; at++) {
      const candidate = `${pieces[at]} ${pieces[at + 1]}`;
      const rank = ranks.get(candidate) ?? Number.POSITIVE_INFINITY;
      if (rank < best) {
        best = rank;
        pair = candidate;
      }
    }
    if (pair === '') return pieces;
    const merged: string[] = [];
    for (let at = 0; at < pieces.length; at++) {
      const isPair = at + 1 < pieces.length && `${pieces[at]} ${pieces[at + 1]}` === pair;
      merged.push(isPair ? `${pieces[at]}${pieces[++at]}` : pieces[at]!);
    }
    pieces = merged;
  }
}
