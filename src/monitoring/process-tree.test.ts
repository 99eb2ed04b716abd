import { describe, expect, it } from 'vitest';
import { nameProcess } from './process-tree.ts';

describe('a child process', () => {
  it.each([
    ['node\0/app/src/workers/imaging-worker.ts\0', 'imaging'],
    // In the published package, the program is compiled.
    ['node\0/app/node_modules/packshot/src/workers/cutout-worker.js\0', 'cutout'],
    ['sh\0-c\0true\0', 'other'],
  ])('with the command %j is named %s', (command, name) => {
    expect(nameProcess(command)).toBe(name);
  });
});
