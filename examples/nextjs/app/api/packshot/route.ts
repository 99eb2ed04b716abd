/** Next.js: receives a photo from the form, and returns the product on white. The API key stays on the server. */
const base = process.env.PACKSHOT_URL ?? 'http://127.0.0.1:8080';

const call = (path: string, body: FormData | string): Promise<Response> =>
  fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'X-Api-Key': process.env.PACKSHOT_API_KEY ?? '' },
    body,
    signal: AbortSignal.timeout(300_000),
  });

export async function POST(request: Request): Promise<Response> {
  const photo = (await request.formData()).get('photo');
  if (!(photo instanceof File)) return Response.json({ detail: 'Choose a photo.' }, { status: 400 });
  const form = new FormData();
  form.append('file', photo, photo.name);
  const upload = await call('/v1/design/image-upload', form);
  // The service's own status and words: they name the limit or the field, and never a secret.
  if (!upload.ok) return new Response(upload.body, { status: upload.status });
  const { id } = (await upload.json()) as { id: string };
  const picture = await call(
    '/v1/design/generated.jpeg',
    JSON.stringify({ id, recipeId: 'Solid1_1_0035', variant: '1:1' }),
  );
  return new Response(picture.body, {
    status: picture.status,
    headers: { 'Content-Type': picture.headers.get('content-type') ?? 'application/octet-stream' },
  });
}
