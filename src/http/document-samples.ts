/** Completes the API document for people who copy: an example of every body, and each call as a curl command. */

// biome-ignore lint/suspicious/noExplicitAny: the generated document has no static type; the tests lint the result.
type Node = any;

/** Fields that say where the photo is; an example of a form contains the photo itself instead. */
const photoFields = ['url', 'image_url', 'image_file_b64', 'imageUrl'];
const isFile = (field: Node): boolean => field?.format === 'binary';

/** Adds examples of bodies that are not JSON, made from `request`: the example of the JSON body, or of the form's fields. */
export function addBodyExamples(content: Node, request: Node): void {
  for (const [type, body] of Object.entries<Node>(content)) {
    if (type.startsWith('image/')) body.example = 'photo.jpg';
    else if (type === 'multipart/form-data') body.example = exampleOfForm(body.schema, request ?? {});
    else body.example ??= request;
  }
}

/** A file stands as its name. */
function exampleOfForm({ properties, required = [] }: Node, request: Node): object {
  const photo = required.some((name: string) => isFile(properties[name]))
    ? []
    : Object.keys(properties).filter((name) => isFile(properties[name]));
  const others = Object.keys(request).filter((name) => name in properties && !photoFields.includes(name));
  const fields = new Set([...required, ...photo.slice(0, 1), ...others]);
  return Object.fromEntries(
    [...fields].map((name) => [
      name,
      isFile(properties[name])
        ? `${name === 'mask' ? 'mask.png' : 'photo.jpg'}`
        : (request[name] ?? JSON.stringify(request)),
    ]),
  );
}

/** The call as a curl command, with `$BASE`, `$KEY`, and the path's parameters in capitals. */
export function toCurl(path: string, method: string, operation: Node): string {
  const asked = (operation.parameters ?? []).filter(
    ({ in: place, name, required }: Node) => place === 'query' && (required || photoFields.includes(name)),
  );
  const query = asked.map(({ name }: Node) => `${name}=$${name.toUpperCase()}`).join('&');
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const types = Object.keys(operation.responses['200']?.content ?? {});
  const [type, body] = Object.entries<Node>(operation.requestBody?.content ?? {})[0] ?? [];
  return [
    `curl -fsS ${method === 'delete' || method === 'patch' ? `-X ${method.toUpperCase()} ` : ''}"$BASE${place}${query && `?${query}`}"`,
    ...(operation.security?.length === 0 ? [] : ['-H "X-Api-Key: $KEY"']),
    ...(type === 'application/json'
      ? [`-H 'Content-Type: ${type}' -d ${quote(JSON.stringify(body.example))}`]
      : []),
    ...(type === 'multipart/form-data' ? formOptions(body) : []),
    ...(types[0]?.startsWith('image/') || types[0] === 'application/zip'
      ? [`-o answer.${types[0].split('/')[1]}`]
      : []),
  ].join(' \\\n  ');
}

const formOptions = ({ example, schema }: Node): string[] =>
  Object.entries(example).map(
    ([name, value]) => `-F ${quote(`${name}=${isFile(schema.properties[name]) ? '@' : ''}${value}`)}`,
  );

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
