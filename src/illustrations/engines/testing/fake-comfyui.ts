/**
 * A fake ComfyUI server with the routes of server.py and main.py of comfyanonymous/ComfyUI. In ComfyUI, a prompt is one
 * queued run of a workflow of nodes. This server runs no nodes; the test draws the picture that a SaveImage node would
 * have saved.
 */
import { type Call, type FakeServer, type Reply, readFile, startFakeServer } from './fake-server.ts';

type Nodes = Record<string, { class_type: string; inputs: Record<string, unknown> }>;

type Fate = 'done' | 'running' | 'waiting' | { readonly error: string } | { readonly outputs: object };

export interface FakeComfyui {
  readonly server: FakeServer;
  /** Uploaded files, by the name under which LoadImage finds them. */
  readonly uploads: Map<string, Buffer>;
  /** What becomes of a queued prompt; default `done`. */
  fate: Fate;
  /** How often the history is polled before the prompt appears in it. */
  emptyLooks: number;
  /** Whether the server itself chooses prompt IDs, as older versions do. */
  namesPrompts: boolean;
  drawPicture: (nodes: Nodes) => Promise<Uint8Array>;
}

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export async function startFakeComfyui(drawPicture: FakeComfyui['drawPicture']): Promise<FakeComfyui> {
  const server = await startFakeServer();
  const prompts = new Map<string, { nodes: Nodes; looks: number }>();
  const fake: FakeComfyui = {
    server,
    uploads: new Map(),
    fate: 'done',
    emptyLooks: 1,
    namesPrompts: false,
    drawPicture,
  };

  const queuePrompt = async ({ json }: Call): Promise<Reply> => {
    const id = fake.namesPrompts ? idOf(prompts.size + 1) : json.prompt_id;
    prompts.set(id, { nodes: json.prompt, looks: 0 });
    return { body: { prompt_id: id, number: prompts.size, node_errors: {} } };
  };

  /** Answers a poll of the history. */
  const lookAt = (id: string): Reply => {
    const prompt = prompts.get(id);
    if (prompt === undefined) return { body: {} };
    prompt.looks++;
    if (prompt.looks > fake.emptyLooks) return answerHistory(fake.fate, id, prompt.nodes);
    return { body: {} };
  };

  server.handle = async (call) => {
    const { method, form, query } = call;
    // Every route exists a second time below /api.
    const path = call.path.replace(/^\/api/, '');
    if (path === '/upload/image') {
      const file = readFile(form, 'image');
      const subfolder = String(form?.get('subfolder') ?? '');
      fake.uploads.set(`${subfolder}/${file.name}`, Buffer.from(await file.arrayBuffer()));
      return { body: { name: file.name, subfolder, type: form?.get('type') } };
    }
    if (path === '/prompt') return queuePrompt(call);
    if (path.startsWith('/history/')) return lookAt(path.slice('/history/'.length));
    if (path === '/queue') return method === 'GET' ? answerQueue(fake.fate, [...prompts.keys()].at(-1)) : {};
    if (path === '/interrupt') return {};
    if (path !== '/view' || query.get('type') === null) return undefined;
    return {
      headers: { 'content-type': 'image/png' },
      body: await fake.drawPicture([...prompts.values()].at(-1)!.nodes),
    };
  };
  return fake;
}

function answerHistory(fate: Fate, id: string, nodes: Nodes): Reply {
  if (fate === 'running' || fate === 'waiting') return { body: {} };
  if (fate !== 'done' && 'error' in fate) {
    const data = { prompt_id: id, node_id: '8', node_type: 'KSampler', exception_message: fate.error };
    const messages = [
      ['execution_start', { prompt_id: id }],
      ['execution_error', data],
    ];
    return { body: { [id]: { outputs: {}, status: { status_str: 'error', completed: false, messages } } } };
  }
  const save = Object.entries(nodes).find(([, node]) => node.class_type === 'SaveImage')?.[0];
  const saved = { images: [{ filename: 'packshot_00001_.png', subfolder: '', type: 'output' }] };
  const outputs = fate === 'done' ? { [save ?? '']: saved } : fate.outputs;
  return { body: { [id]: { outputs, status: { status_str: 'success', completed: true, messages: [] } } } };
}

function answerQueue(fate: Fate, id: string | undefined): Reply {
  const item = [0, id, {}, {}, []];
  return {
    body: {
      queue_running: fate === 'running' ? [item] : [[9, 'of-somebody-else', {}, {}, []]],
      queue_pending: fate === 'waiting' ? [item] : [],
    },
  };
}
