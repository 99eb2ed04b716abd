/** A loopback server that sends scripted OpenAI chat completions to tests and records the requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary request bodies.
  readonly body: any;
}

export interface ChatServer {
  /** Value for `baseUrl` in the settings; includes the API version. */
  readonly baseUrl: string;
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

type Reply = (response: ServerResponse, request: ChatRequest) => void;

export async function startChatServer(reply: Reply): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const { url: path, headers } = message;
    const request = { path, headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
    requests.push(request);
    reply(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends a chat completion object (developers.openai.com, api-reference, chat completions). */
export function answerChat(
  response: ServerResponse,
  content: unknown,
  { finish = 'stop', refusal }: { finish?: 'stop' | 'length' | 'content_filter'; refusal?: string } = {},
): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  answerJson(response, 200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_763_600_000,
    model: 'tiny',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: refusal === undefined ? text : null,
          ...(refusal && { refusal }),
        },
        finish_reason: finish,
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
  });
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
