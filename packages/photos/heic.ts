/** HEIC to JPEG or PNG; apart from the other formats, because its decoder is a large module of WebAssembly. */
export { convertHeic } from './src/heic/convert-heic.ts';
