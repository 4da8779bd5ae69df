import { recordCoverage } from './coverage.ts';

/** An answer whose body has been read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed when it is JSON, else the text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly text: string;
}

export interface CallOptions {
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
}

/** Sends one request, such as `call(product, 'POST /auth/login', { body })`. */
export async function call(
  { url }: { url: string },
  request: string,
  { token, body, raw, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const [method = '', ...rest] = request.split(' ');
  recordCoverage(request);
  const response = await fetch(url + rest.join(' '), {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: (raw as BodyInit | undefined) ?? (body === undefined ? undefined : JSON.stringify(body)),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
}
