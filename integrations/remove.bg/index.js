// The functions of the npm package remove.bg 1.3.0. Photos go to PACKSHOT_URL and to no other host.
const { openAsBlob, writeFileSync } = require('node:fs');
const { basename } = require('node:path');

/** The fields that remove.bg 1.3.0 sends. It never sends `format`, which its types name. */
function fieldsOf(options) {
  const { scale, position, crop_margin, roi, bg_color, bg_image_url, channels, add_shadow } = options;
  const { size = 'preview', type = 'auto', crop } = options;
  const optional = { scale, position, crop_margin, roi, bg_color, bg_image_url, channels, add_shadow };
  return { size, type, crop: crop === true, ...optional };
}

const removeBackgroundFromImageUrl = (options) =>
  sendJson(options, { ...fieldsOf(options), image_url: options.url });

const removeBackgroundFromImageBase64 = (options) =>
  sendJson(options, { ...fieldsOf(options), image_file_b64: options.base64img });

async function removeBackgroundFromImageFile(options) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fieldsOf(options)))
    if (value !== undefined) form.append(name, String(value));
  form.append('image_file', await openAsBlob(options.path), basename(options.path));
  return send(options, form, {});
}

const sendJson = (options, fields) =>
  send(options, JSON.stringify(fields), { 'content-type': 'application/json' });

async function send({ apiKey, outputFile }, body, headers) {
  const base = (process.env.PACKSHOT_URL || 'http://127.0.0.1:8080').replace(/\/+$/, '');
  const init = {
    method: 'POST',
    body,
    headers: { ...headers, accept: 'application/json', 'x-api-key': apiKey },
  };
  const response = await fetch(`${base}/v1.0/removebg`, init).catch((error) => {
    const detail = `${error.cause?.message ?? error.message} (PACKSHOT_URL names the service)`;
    throw [{ title: `Packshot at ${base} does not answer`, detail }];
  });
  const text = await response.text();
  const answer = parse(text);
  // As in the original, callers catch the list of errors itself.
  if (response.status !== 200) throw answer?.errors ?? answer ?? text;
  const base64img = answer.data.result_b64;
  if (outputFile) writeFileSync(outputFile, base64img, 'base64');
  const header = (name) => response.headers.get(name) ?? undefined;
  return {
    base64img,
    creditsCharged: header('x-credits-charged'),
    detectedType: header('x-type'),
    resultWidth: header('x-width'),
    resultHeight: header('x-height'),
    rateLimit: header('x-ratelimit-limit'),
    rateLimitRemaining: header('x-ratelimit-remaining'),
    rateLimitReset: header('x-ratelimit-reset'),
    retryAfter: header('retry-after'),
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

module.exports = {
  removeBackgroundFromImageUrl,
  removeBackgroundFromImageFile,
  removeBackgroundFromImageBase64,
};
