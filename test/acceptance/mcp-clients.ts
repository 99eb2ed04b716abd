/** A service for a test file, with MCP clients of both protocol generations, which are closed after each test. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { cratePhoto, type Service, startService } from './service.ts';

export type Era = 'modern' | 'legacy';

// biome-ignore lint/suspicious/noExplicitAny: a test that reads a missing field fails.
export type Result = any;
export const textOf = ({ content }: Result): string =>
  content.find(({ type }: Result) => type === 'text').text;
export const call = async (client: Client, name: string, input: object): Promise<Result> =>
  client.callTool({ name, arguments: { ...input } });

const closers: (() => Promise<void>)[] = [];
export const onClose = (close: () => Promise<void>): void => void closers.push(close);

/** Before the first test, starts the service and calls `tell` with the service and a photo in base64. */
export function useMcpService(tell: (service: Service, photo: string) => void): void {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
    tell(service, (await cratePhoto()).toString('base64'));
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  afterAll(() => service.stop());
}

export async function connectTo(
  service: Service,
  era: Era = 'modern',
  headers: Record<string, string> = { authorization: `Bearer ${service.key}` },
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  onClose(() => client.close());
  return client;
}
