import { login } from '../../contract/accounts.ts';
import type { Call } from '../../contract/call.ts';
import { CALLS } from '../../contract/calls.ts';

const VERSION = '1.0.0';

interface ObjectSchema {
  properties?: Record<string, { title?: string }>;
  required?: string[];
}

const FAILURES: Record<number, string> = {
  400: 'The input is wrong.',
  401: 'No token, a dead one, or a wrong password.',
  403: 'Not allowed to this caller.',
  404: 'There is no such thing.',
  409: 'It clashes with what is there.',
  413: 'The request is too large.',
  415: 'The body is not JSON.',
  429: 'Too many; Retry-After says when.',
  503: 'Overloaded or shutting down; Retry-After says when.',
};

/** The failures that a call can answer, beside those that any can. */
function failuresOf(call: Call): number[] {
  const hasInput = [call.params, call.query, call.body].some((part) => hasProperties(part));
  // Everyone may try to log in; who has the wrong password is as little known as who has no token.
  const isByWhoTheyAre = call.access !== 'everyone' || call.name === login.name;
  return [
    ...(hasInput ? [400] : []),
    ...(isByWhoTheyAre ? [401] : []),
    ...(call.access === 'everyone' && call.method === 'GET' ? [] : [403]),
    ...(hasProperties(call.params) || hasProperties(call.body) ? [404] : []),
    ...(call.method === 'POST' || call.method === 'PUT' || call.method === 'DELETE' ? [409, 413, 415] : []),
    429,
    503,
  ];
}

function hasProperties(part: unknown): boolean {
  return Object.keys((part as ObjectSchema).properties ?? {}).length > 0;
}

/** JSON Schema as it is written here, without the words that only this product knows. */
function publicSchema(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'says' || key === 'isProse' || key.startsWith('~') ? undefined : value,
    ),
  );
}

function parametersOf(part: unknown, where: 'path' | 'query') {
  const { properties = {}, required = [] } = part as ObjectSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: publicSchema(schema),
  }));
}

function successOf(call: Call) {
  if (call.status === 204) return { description: 'Done; no content.' };
  const isText = (call.answer as { type?: string }).type === 'string';
  return {
    description: call.status === 201 ? 'Created.' : 'The answer.',
    content: { [isText ? 'text/plain' : 'application/json']: { schema: publicSchema(call.answer) } },
  };
}

function operationOf(call: Call) {
  const failures = failuresOf(call).map((status) => [
    status,
    {
      description: FAILURES[status],
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
    },
  ]);
  return {
    operationId: call.name,
    summary: call.summary,
    description: `Who may: ${call.access}.`,
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')],
    ...(hasProperties(call.body) && {
      requestBody: { required: true, content: { 'application/json': { schema: publicSchema(call.body) } } },
    }),
    responses: { [call.status]: successOf(call), ...Object.fromEntries(failures) },
    ...(call.access !== 'everyone' && { security: [{ token: [] }] }),
  };
}

/** The OpenAPI 3.1 document of every call, made from the contract's own schemas. */
export function describeApi(siteName: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const call of CALLS) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: siteName,
      version: VERSION,
      description: 'Schools anywhere in the world and reviews of them by category.',
    },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        Failure: {
          type: 'object',
          required: ['error'],
          properties: { error: { type: 'string', description: 'One sentence that a person can act on.' } },
          additionalProperties: false,
        },
      },
    },
  };
}
