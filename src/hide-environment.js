/**
 * Hides the environment's secrets from other processes of the same user, above all from the child processes that
 * decode photos. The initial environment stays readable in /proc/PID/environ even after `delete process.env.NAME`.
 * So the values are moved to memory that only `process.env` uses, and erased where the kernel exposes them. Plain
 * JavaScript, because the launcher also calls it under an older Node, which cannot read TypeScript.
 */
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

/** The dynamic loader and the C library may keep pointers to these. */
const ofTheLoader = /^(LD|GLIBC|MALLOC)_/;

/** Does nothing without /proc, or if the system does not let a process write to its own memory. */
export function hideEnvironment() {
  if (process.platform !== 'linux') return;
  let memory;
  try {
    memory = openSync('/proc/self/mem', 'r+');
    for (const { name, value, address } of findVariables(memory)) {
      const text = process.env[name];
      // Skip values that Node cannot reproduce byte for byte.
      if (ofTheLoader.test(name) || text === undefined || !value.equals(Buffer.from(text))) continue;
      // Delete first: only a newly added variable is sure to be copied.
      delete process.env[name];
      process.env[name] = text;
      writeSync(memory, Buffer.alloc(value.length), 0, value.length, address);
    }
  } catch {
    // On another or a stricter kernel, the variables stay in place.
  } finally {
    if (memory !== undefined) closeSync(memory);
  }
}

/** Each variable with the address of its value. @param {number} memory */
function findVariables(memory) {
  // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: fields 50 (env_start) and 51 (env_end). Field 2, the
  // program's name in parentheses, may contain spaces, so count the fields after it.
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [start, end] = [Number(fields[47]), Number(fields[48])];
  const block = Buffer.alloc(end - start);
  readSync(memory, block, 0, block.length, start);
  const found = [];
  for (let at = 0; at < block.length; ) {
    const stop = block.indexOf(0, at);
    const last = stop === -1 ? block.length : stop;
    const equals = block.indexOf('=', at);
    if (equals > at && equals < last) {
      const value = block.subarray(equals + 1, last);
      found.push({ name: block.toString('utf8', at, equals), value, address: start + equals + 1 });
    }
    at = last + 1;
  }
  return found;
}
