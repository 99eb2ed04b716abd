/**
 * Runs one attack in a separate process, so that its calls do not delay the calls of the other account, which the
 * parent process times. The process prepares the attack, then starts and ends it when the parent says so.
 */
import { once } from 'node:events';
import { Tally } from './answers.ts';
import { openClient } from './service.ts';
import { attacks } from './worst-neighbour.ts';

const [name, size, url, key] = process.argv.slice(2) as [string, string, string, string];
const found = attacks.find((attack) => attack.name === name);
if (!found) throw new Error(`no such attack: ${name}`);

const answers = new Tally();
const prepared = await found.attack(openClient(url, key), Number(size), (status) => answers.add(status));
process.on('disconnect', () => process.exit());
process.send?.('prepared');
await once(process, 'message');
const stop = prepared.begin();
await once(process, 'message');
await stop();
process.send?.({ answers: answers.toString(), errors500: answers.count(500) });
process.disconnect();
