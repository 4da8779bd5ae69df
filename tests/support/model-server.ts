import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What a model on loopback does with a request. */
export type Behaviour = (response: ServerResponse, prompt: string) => void;

/** Answers as a chat endpoint does. */
export function replyWith(content: string): Behaviour {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({
        id: '1',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content } }],
      }),
    );
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A server that speaks the OpenAI protocol on loopback and behaves as `state.behave` says. */
export async function startModelServer() {
  const state = { behave: replyWith('') as Behaviour, prompts: [] as string[] };
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    state.prompts.push(body);
    state.behave(response, body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    state,
    url: `http://127.0.0.1:${port}/v1`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
