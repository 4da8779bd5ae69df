import { UNVERIFIED_CODE } from '../../contract/accounts.ts';
import { type Call, fieldsOf } from '../../contract/call.ts';
import { CALLS_BY_DOMAIN } from '../../contract/calls.ts';
import { CHANGE_POSITION, POSITIONS_MAX } from '../../contract/change-positions.ts';
import { BLOCKED_CODE } from '../../contract/users.ts';
import { LIMITS, REQUESTS_PER_MINUTE } from '../http/limits/limits.ts';
import { MAINTENANCE_CODE } from '../http/maintenance.ts';
import { type ExampleSchema, exampleOf } from './examples.ts';

const VERSION = '1.0.0';

interface ObjectSchema {
  properties?: Record<string, { title?: string }>;
  required?: string[];
}

const FAILURES: Record<number, string> = {
  301: 'It was merged into another one, to which the Location header leads.',
  400: 'The input is wrong.',
  401: 'No token, a dead one, or a wrong password.',
  403: 'Not allowed to this caller.',
  404: 'There is no such thing.',
  409: 'It clashes with what is there.',
  413: 'The request is too large.',
  415: 'The body is not JSON.',
  429: 'Too many.',
  503: 'Overloaded or shutting down.',
};

/** Response headers that are part of an answer's meaning, by the names of their components. */
const HEADERS = {
  ETag: {
    description: 'Names this state of the answer. A read that sends it back in If-None-Match asks for a later one.',
    required: true,
    schema: { type: 'string' },
  },
  Link: {
    description: 'Where the list goes on: `</auth/…>; rel="next"` (RFC 8288). Absent on the last page.',
    schema: { type: 'string' },
  },
  Location: {
    description: 'The address to ask in place of this one.',
    required: true,
    schema: { type: 'string' },
  },
  [CHANGE_POSITION]: {
    description:
      'Where the change stands among those of all processes, if there are several and public reads show it. A read that ' +
      `sends it back in the same header shows the change, whichever process answers; up to ${POSITIONS_MAX} with commas between.`,
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: {
    description: 'What is left of each limit, and the seconds until it is renewed: `"reviews";r=0;t=1800`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'How much each limit allows in how many seconds: `"reviews";q=30;w=3600`.',
    schema: { type: 'string' },
  },
};

/** The limits that a caller can reach. Those that protect the site as a whole are left out. */
const CALLERS_LIMITS = [
  { name: 'requests', by: 'address', max: REQUESTS_PER_MINUTE, windowMs: 60_000 },
  ...Object.values(LIMITS).filter(({ by }) => by !== 'everybody' && by !== 'site'),
].map(({ name, by, max, windowMs }) => ({ name, by, max, windowSeconds: windowMs / 1000 }));

const MOVED_PERMANENTLY = 301;
const NOT_MODIFIED = 304;
const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;

const isPublicRead = ({ access, method }: Call) => access === 'everyone' && method === 'GET';

/** The headers that an answer can have. */
function headersOf(call: Call, status: number): Record<string, { $ref: string }> {
  const isChange = call.method !== 'GET';
  const isGood = status === call.status || status === NOT_MODIFIED;
  const isPaged = 'before' in ((call.query as ObjectSchema).properties ?? {});
  // A change that is refused may have counted.
  const hasRates = isChange || status === TOO_MANY_REQUESTS;
  const has: Record<keyof typeof HEADERS, boolean> = {
    ETag: isGood && isPublicRead(call),
    Link: isGood && isPaged,
    Location: status === MOVED_PERMANENTLY,
    [CHANGE_POSITION]: isGood && isChange,
    'Retry-After': status === TOO_MANY_REQUESTS || status === SERVICE_UNAVAILABLE,
    RateLimit: hasRates,
    'RateLimit-Policy': hasRates,
  };
  const names = Object.entries(has).flatMap(([name, isThere]) => (isThere ? [name] : []));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The error statuses of a call: those that follow from its access, input and method, and its own. */
function failuresOf(call: Call): number[] {
  const hasInput = [call.params, call.query].some((part) => fieldsOf(part).length > 0);
  const isChange = call.method !== 'GET';
  const failures = [
    ...(hasInput || isChange ? [400] : []),
    ...(call.access === 'everyone' ? [] : [401]),
    // A change requested by a page of another site is refused.
    ...(call.access === 'admin' || isChange ? [403] : []),
    ...(isChange ? [413, 415] : []),
    ...call.refuses,
    TOO_MANY_REQUESTS,
    SERVICE_UNAVAILABLE,
  ];
  return [...new Set(failures)].sort((one, other) => one - other);
}

/**
 * Removes this product's own keywords from a JSON Schema.
 * @param isSent whether the client sends the value: then null and empty text may stand for an absent one, unlike in
 * answers
 */
function publicSchema(schema: unknown, isSent: boolean): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (key === 'says' || key === 'isProse' || key === 'isUsername') return undefined;
      if (!value?.isBlankAbsent) return value;
      const { isBlankAbsent: _, ...rest } = value;
      return !isSent ? rest : { anyOf: [rest, { enum: [null, ''] }] };
    }),
  );
}

function parametersOf(part: unknown, where: 'path' | 'query') {
  const { properties = {}, required = [] } = part as ObjectSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: publicSchema(schema, true),
    example: exampleOf(schema as ExampleSchema, name),
  }));
}

const isText = ({ type }: ExampleSchema) => type === 'string';

const withExample = (schema: ExampleSchema, isSent: boolean) => ({
  schema: publicSchema(schema, isSent),
  example: exampleOf(schema),
});

/** The content of an answer by media type. An answer that is either text or JSON has both. */
function contentOf(answer: ExampleSchema): Record<string, { schema: unknown }> {
  const texts = answer.anyOf?.filter(isText) ?? [];
  if (texts.length === 0) {
    return { [isText(answer) ? 'text/plain' : 'application/json']: withExample(answer, false) };
  }
  const [json] = answer.anyOf?.filter((branch) => !isText(branch)) ?? [];
  return {
    'text/plain': withExample(texts[0] ?? {}, false),
    'application/json': withExample(json ?? {}, false),
  };
}

function successOf(call: Call) {
  const headers = headersOf(call, call.status);
  if (call.status === 204) return { description: 'Done; no content.', headers };
  return {
    description: call.status === 201 ? 'Created.' : 'The answer.',
    headers,
    content: contentOf(call.answer as ExampleSchema),
  };
}

function operationOf(call: Call, domain: string) {
  const failures = failuresOf(call).map((status) => [
    status,
    {
      description: FAILURES[status],
      headers: headersOf(call, status),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Failure' },
          example: { error: FAILURES[status] },
        },
      },
    },
  ]);
  return {
    operationId: call.name,
    tags: [domain],
    summary: call.summary,
    description: `Who may: ${call.access}.`,
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')],
    ...(fieldsOf(call.body).length > 0 && {
      requestBody: { required: true, content: { 'application/json': withExample(call.body as ExampleSchema, true) } },
    }),
    responses: {
      [call.status]: successOf(call),
      ...(isPublicRead(call) && {
        [NOT_MODIFIED]: { description: 'If-None-Match has its ETag.', headers: headersOf(call, NOT_MODIFIED) },
      }),
      ...Object.fromEntries(failures),
    },
    ...(call.access !== 'everyone' && { security: [{ token: [] }] }),
  };
}

/**
 * The OpenAPI 3.1 document of all calls, made from the schemas of the contract.
 * @param url PUBLIC_URL. Without it, the document says that the calls are on the server that it comes from
 */
export function describeApi(siteName: string, url = '/') {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [domain, calls] of Object.entries(CALLS_BY_DOMAIN)) {
    for (const call of calls) {
      const path = call.path.replaceAll(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call, domain) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: siteName,
      version: VERSION,
      description:
        'Schools anywhere in the world and reviews of them by category. Pages of other sites may make every call of GET ' +
        'that needs no token, and read `/feeds/{school|entry}/{id}.atom` and `/badges/{school|entry}/{id}.svg`.',
    },
    servers: [{ url }],
    'x-limits': CALLERS_LIMITS,
    tags: Object.keys(CALLS_BY_DOMAIN).map((name) => ({ name })),
    paths,
    components: {
      headers: HEADERS,
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        Failure: {
          type: 'object',
          required: ['error'],
          properties: {
            error: { type: 'string', description: 'One sentence that a person can act on.' },
            field: {
              type: 'string',
              description: 'The one field it is about, if any; within another: the names of both, with a dot between.',
            },
            code: {
              type: 'string',
              enum: [BLOCKED_CODE, UNVERIFIED_CODE, MAINTENANCE_CODE],
              description:
                'Login: the account is blocked, or its mailbox is not verified. Changes: the site can only be read.',
            },
            hasPasscode: {
              type: 'boolean',
              description: 'Login, with the code "unverified": whether a mailed passcode can still be entered.',
            },
            id: { type: 'integer', description: 'Proposals: the school or entry that is there already.' },
            proposalId: { type: 'integer', description: 'Proposals: the equal one that is open.' },
          },
          additionalProperties: false,
        },
      },
    },
  };
}
