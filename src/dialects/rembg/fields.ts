/** The parameters of `/api/remove`, read from the form or the query, as FastAPI does. */

import type { Color } from '../../named-color.ts';
import { type BodyFields, findPhoto, readBoolean } from '../body-fields.ts';
import type { CutoutOrder, PictureSource } from '../order.ts';
import { type FieldFault, FieldFaults, refuse, urlRefusals } from './errors.ts';

/** Model names of rembg; as in rembg, a name need only contain one of these. The configured engine serves them all. */
const models =
  /(u2net(p|_human_seg|_cloth_seg|_custom)?|silueta|isnet-(general-use|anime)|sam|birefnet-(general(-lite)?|portrait|dis|hrsod|cod|massive)|bria-rmbg|(dis|ben|ben2)_custom|withoutbg|atlascloud)/;

/** Maximum characters of a wrong value in the response. */
const longestEcho = 100;
/** The fields with numbers, and the maximum of each. */
const numbers = { af: 255, ab: 255, ae: Infinity };

/** Throws `FieldFaults`, which lists all invalid fields, or a `DialectRefusal` for an invalid URL. */
export function readRemoveOrder(
  method: 'GET' | 'POST',
  { text, files }: BodyFields,
  query: ReadonlyMap<string, string>,
): CutoutOrder {
  const reader = createReader(text, query);
  const source = method === 'GET' ? reader.url() : reader.file(files);
  reader.model();
  reader.flag('a');
  const isMask = reader.flag('om');
  const binary = reader.flag('ppm');
  for (const [name, most] of Object.entries(numbers)) reader.number(name, most);
  const color = reader.color();
  if (reader.faults.length > 0 || !source) throw new FieldFaults(reader.faults);
  if ('url' in source) checkUrl(source.url);
  const ownColors = readsOwnColors(reader.find('extras')?.value);
  return {
    source,
    size: 'photo',
    format: 'png',
    channels: isMask ? 'alpha' : 'rgba',
    background: color && !isMask ? { color } : undefined,
    binary,
    ownColors,
    allowsEmpty: true,
  };
}

interface Found {
  readonly value: string;
  readonly loc: readonly string[];
}

type Fault = Pick<FieldFault, 'type' | 'msg' | 'ctx'>;

function createReader(text: BodyFields['text'], query: ReadonlyMap<string, string>) {
  const faults: FieldFault[] = [];
  const find = (name: string): Found | undefined => {
    const inBody = text.get(name);
    if (inBody !== undefined) return { value: inBody, loc: ['body', name] };
    const inQuery = query.get(name);
    return inQuery === undefined ? undefined : { value: inQuery, loc: ['query', name] };
  };
  const blame = ({ value, loc }: Found, { type, msg, ctx }: Fault): undefined => {
    faults.push({ type, loc, msg, input: value.slice(0, longestEcho), ...(ctx && { ctx }) });
  };
  const missing = (loc: readonly string[]): undefined => {
    faults.push({ type: 'missing', loc, msg: 'Field required', input: null });
  };
  return {
    faults,
    find,
    url(): PictureSource | undefined {
      const found = query.get('url');
      return found === undefined ? missing(['query', 'url']) : { url: found };
    },
    file(files: BodyFields['files']): PictureSource | undefined {
      const found = findPhoto({ files }, 'file');
      return found ? { bytes: found.bytes, fileName: found.name } : missing(['body', 'file']);
    },
    model(): void {
      const found = find('model');
      if (!found || models.test(found.value)) return;
      const pattern = models.source;
      const msg = `String should match pattern '${pattern}'`;
      blame(found, { type: 'string_pattern_mismatch', msg, ctx: { pattern } });
    },
    flag(name: string): boolean {
      const found = find(name);
      const flag = found ? readBoolean(found.value) : false;
      if (found && flag === undefined)
        blame(found, {
          type: 'bool_parsing',
          msg: 'Input should be a valid boolean, unable to interpret input',
        });
      return flag ?? false;
    },
    number(name: string, most: number): void {
      const found = find(name);
      const fault = found && findNumberFault(found.value, most);
      if (fault) blame(found, fault);
    },
    color(): Color | undefined {
      const found = find('bgc');
      if (!found) return undefined;
      const channels = found.value.split(',').map((part) => part.trim());
      const isColor =
        [3, 4].includes(channels.length) && channels.every((part) => /^\d{1,3}$/.test(part) && +part <= 255);
      const [r = 0, g = 0, b = 0, alpha = 255] = channels.map(Number);
      if (isColor) return [r, g, b, alpha];
      return blame(found, {
        type: 'value_error',
        msg: 'Value error, four integers from 0 to 255 with commas between them: r,g,b,a',
      });
    },
  };
}

function findNumberFault(value: string, most: number): Fault | undefined {
  if (!/^\s*[+-]?\d+\s*$/.test(value))
    return {
      type: 'int_parsing',
      msg: 'Input should be a valid integer, unable to parse string as an integer',
    };
  if (+value < 0)
    return { type: 'greater_than_equal', msg: 'Input should be greater than or equal to 0', ctx: { ge: 0 } };
  if (+value > most)
    return {
      type: 'less_than_equal',
      msg: `Input should be less than or equal to ${most}`,
      ctx: { le: most },
    };
  return undefined;
}

function checkUrl(text: string): void {
  const url = URL.parse(text);
  if (!/^https?:/i.test(text.trim())) throw refuse(urlRefusals.scheme);
  if (!url || url.hostname === '') throw refuse(urlRefusals.host);
}

/** Invalid JSON is ignored, as in rembg. */
function readsOwnColors(extras: string | undefined): boolean {
  if (extras === undefined) return false;
  try {
    const parsed: unknown = JSON.parse(extras);
    return typeof parsed === 'object' && parsed !== null && 'putalpha' in parsed && Boolean(parsed.putalpha);
  } catch {
    return false;
  }
}
