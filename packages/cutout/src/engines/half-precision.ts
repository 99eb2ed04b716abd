/** Half-precision numbers (IEEE 754-2008, binary16) as 16-bit patterns. Node 22 has no array type for them. */

let halfValues: Float32Array | undefined;

/** A plain loop, because `Float32Array.from` takes ten times as long for the weights of a network. */
export function fromHalves(patterns: Uint16Array): Float32Array {
  const values = halves();
  const floats = new Float32Array(patterns.length);
  for (let i = 0; i < patterns.length; i++) floats[i] = values[patterns[i]!]!;
  return floats;
}

/** The value of each of the 65,536 patterns. */
function halves(): Float32Array {
  halfValues ??= Float32Array.from({ length: 65_536 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
  });
  return halfValues;
}

/**
 * Returns the bits of the nearest half-precision value. Values that would round beyond 65,504, the largest finite one,
 * become infinite; the values passed here are far smaller.
 */
export function toHalf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65_520) return sign | 0x7c00;
  // Below 2^-14, half-precision values are evenly spaced, 2^-24 apart.
  const exponent = size < 2 ** -14 ? -14 : Math.floor(Math.log2(size));
  const steps = Math.round(size * 2 ** (10 - exponent));
  // `steps` may round up to 2048, which is the first value of the next exponent. The addition then carries into the
  // exponent.
  return sign | (size < 2 ** -14 ? steps : ((exponent + 15) << 10) + (steps - 1024));
}
