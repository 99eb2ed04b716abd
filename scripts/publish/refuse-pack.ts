/** `npm pack` in the checkout would create a broken package: Node does not strip types below node_modules. */
console.error(
  'The published package is compiled: `npm run package` makes it, as a folder and a tarball in out/packages.',
);
process.exitCode = 1;
