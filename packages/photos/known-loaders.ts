/**
 * Limits the decoders of this process to the accepted formats, whatever format a header claims. Every child process that
 * decodes pictures imports this file. The cutout library does not: it must not change the program that uses it.
 */
import sharp from 'sharp';

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Tiff', 'Nsgif'].map((name) => `VipsForeignLoad${name}`),
});
// Each file is decoded only once, so libvips' operation cache would only keep unused pixels in memory.
sharp.cache(false);
