import * as Type from 'typebox';

/** Who may make a call. Everyone: no token needed; signed-in: any valid token; admin: its user must be an admin now. */
type Access = 'everyone' | 'signed-in' | 'admin';

/**
 * The refusals of a call, besides those for access, validation and load. 301: its subject was merged into another one;
 * 401: wrong credentials; 403: this caller may not do it, such as report their own review; 404: its subject does not
 * exist; 409: it conflicts with existing data.
 */
type OwnRefusal = 301 | 401 | 403 | 404 | 409;

/**
 * One HTTP call: the server registers and checks it, the browser sends it, and the API document describes it, all from
 * this description.
 */
export interface Call<
  Params extends Type.TSchema = Type.TSchema,
  Query extends Type.TSchema = Type.TSchema,
  Body extends Type.TSchema = Type.TSchema,
  Answer extends Type.TSchema = Type.TSchema,
  Who extends Access = Access,
> {
  /** Unique: the first part of the key in the query cache, and the name in the API document and the audit trail. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly access: Who;
  readonly status: 200 | 201 | 204;
  readonly refuses: readonly OwnRefusal[];
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
}

/** The schema of a part that a call does not have. */
const Nothing = Type.Object({});
export type Nothing = typeof Nothing;

interface Definition<
  Params extends Type.TSchema,
  Query extends Type.TSchema,
  Body extends Type.TSchema,
  Answer extends Type.TSchema,
  Who extends Access,
> {
  /** The name of a new call contains no category: the path or the query says it. */
  name: string;
  /** Default: GET. */
  method?: Call['method'];
  /** Default: `/auth/`, the name, then the params in order, as in `/auth/getSchool/:id`. */
  path?: `/auth/${string}`;
  summary: string;
  access: Who;
  /** Default: 200, or 204 for a call without an answer. 201 for calls that create something. */
  status?: 200 | 201;
  /** Default: none. */
  refuses?: Call['refuses'];
  params?: Params;
  query?: Query;
  body?: Body;
  answer?: Answer;
}

/** Completes the description of a call. Access has no default: without it, the description does not compile. */
/* @__NO_SIDE_EFFECTS__ */
export function defineCall<
  Who extends Access,
  Params extends Type.TSchema = Nothing,
  Query extends Type.TSchema = Nothing,
  Body extends Type.TSchema = Nothing,
  Answer extends Type.TSchema = Nothing,
>(definition: Definition<Params, Query, Body, Answer, Who>): Call<Params, Query, Body, Answer, Who> {
  return {
    method: 'GET',
    status: definition.answer ? 200 : 204,
    refuses: [],
    path: ['/auth', definition.name, ...fieldsOf(definition.params ?? Nothing).map((param) => `:${param}`)].join('/'),
    // Safe: the defaults of the type parameters say the same: a part that is left out is Nothing.
    params: Nothing as unknown as Params,
    query: Nothing as unknown as Query,
    body: Nothing as unknown as Body,
    answer: Nothing as unknown as Answer,
    ...definition,
  };
}

/** The names of the fields of a part of a call. */
export const fieldsOf = (part: Type.TSchema) => Object.keys((part as Partial<Type.TObject>).properties ?? {});

export type BodyOf<C extends Call> = Type.Static<C['body']>;
export type QueryOf<C extends Call> = Type.Static<C['query']>;

/** The parsed answer of a call. */
export type AnswerOf<C extends Call> = Type.Static<C['answer']>;

/** The values of a call's path and query. Absent ones are undefined. */
export interface AddressParts {
  readonly params?: object;
  readonly query?: object;
}

/**
 * The address of a call. Requests of the browser and the keys of cached responses all use it, so that
 * they are identical.
 */
export function callAddress(call: Pick<Call, 'path'>, { params = {}, query = {} }: AddressParts = {}): string {
  const values = new Map(Object.entries(params));
  const path = call.path.replaceAll(/:(\w+)/g, (_param, name) => encodeURIComponent(String(values.get(name))));
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .sort();
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${path}?${search}` : path;
}

/**
 * The cursor of a list: the query of the `next` link in its Link header.
 * @param link undefined or null when there is no such header
 */
export function readNextQuery(link: string | null | undefined): Record<string, string> | undefined {
  const [, next] = /<[^>]*\?([^>]*)>;\s*rel="next"/.exec(link ?? '') ?? [];
  return next === undefined ? undefined : Object.fromEntries(new URLSearchParams(next));
}

/** The key of a read in the query cache. */
export function callKey<P extends AddressParts>(call: Pick<Call, 'name'>, parts: P): readonly [string, P] {
  return [call.name, parts];
}
