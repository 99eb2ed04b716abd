/** Reads numbers and lists from option values, which Commander passes as text. */
import { InvalidArgumentError } from 'commander';

export function parseNumber(min: number, max = Number.POSITIVE_INFINITY) {
  return (text: string): number => {
    const number = Number(text);
    if (text.trim() !== '' && number >= min && number <= max) return number;
    const limits = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`Needs a number ${limits}.`);
  };
}

export function parseWhole(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (text.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Needs a whole number from ${min} to ${max}.`);
  };
}

/**
 * Words from `known`, separated by commas or spaces, each at most once in the result. `what` is a plural noun for these
 * words, for the error message.
 */
export function parseList<T extends string>(what: string, known: readonly T[]) {
  return (text: string): readonly T[] => {
    const words = [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))];
    if (words.length > 0 && words.every((word) => known.some((one) => one === word))) return words as T[];
    throw new InvalidArgumentError(`${what} are ${known.join(', ')}.`);
  };
}
