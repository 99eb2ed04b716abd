/** Turns a prompt into the numbers that CLIP text encoders read: byte-level byte pair encoding (Sennrich et al. 2016, arXiv 1508.07909). */
import { PackshotError } from '../../../errors.ts';

export interface ClipVocabulary {
  /** From a piece of a word to its number; `</w>` ends the last piece of each word. */
  readonly ids: ReadonlyMap<string, number>;
  /** Pairs of pieces that become one, the most frequent first, with one space between them. */
  readonly merges: readonly string[];
  /** Numbers of one prompt, start and end included; 77 for CLIP. */
  readonly length: number;
  /** What fills a short prompt up: `!`, number 0, for OpenCLIP's encoders, `<|endoftext|>` for OpenAI's. */
  readonly padding: string;
}

export interface TokenizedPrompt {
  /** As many as `length`. */
  readonly ids: readonly number[];
  /** The prompt was longer, and its end is not among them. */
  readonly isCut: boolean;
}

/**
 * As in openai/CLIP, clip/simple_tokenizer.py. The start and end marks are no words here: a text that spells them out
 * cannot end its prompt.
 */
const wordPattern = /'s|'t|'re|'ve|'m|'ll|'d|\p{Letter}+|\p{Number}|[^\s\u0085\p{Letter}\p{Number}]+/gu;

/** Throws `internal` where the vocabulary lacks the marks that every prompt needs. */
export function createClipTokenizer({ ids, merges, length, padding }: ClipVocabulary) {
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const start = numberOf('<|startoftext|>');
  const end = numberOf('<|endoftext|>');
  const fill = numberOf(padding);

  function numberOf(piece: string): number {
    const id = ids.get(piece);
    if (id === undefined)
      throw new PackshotError('internal', `The tokenizer's vocabulary lacks ${piece}: it is not CLIP's.`);
    return id;
  }

  return function tokenize(prompt: string): TokenizedPrompt {
    const words = prompt.normalize('NFC').toLowerCase().match(wordPattern) ?? [];
    const said: number[] = [];
    for (const word of words) {
      // CLIP's vocabulary has every byte; in one that lacks some, its tokenizer takes the end mark for the unknown.
      for (const piece of mergePieces(spellBytes(word), ranks)) said.push(ids.get(piece) ?? end);
      if (said.length > length - 2) break;
    }
    const kept = said.slice(0, length - 2);
    const padded = Array.from({ length: length - 2 - kept.length }, () => fill);
    return { ids: [start, ...kept, end, ...padded], isCut: said.length > kept.length };
  };
}

/** One printable character for each byte, the last one marked as the word's end. */
function spellBytes(word: string): string[] {
  const pieces = Array.from(Buffer.from(word, 'utf8'), (byte) => letters[byte]!);
  pieces[pieces.length - 1] += '</w>';
  return pieces;
}

/** Bytes that print stand for themselves, the rest for the characters from 256 on (openai/gpt-2, encoder.py). */
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
