import type { Context, Hono } from 'hono';
import type { BlankEnv, ParamKeys } from 'hono/types';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import { validBody, validQuery } from '../http/validation.ts';
import type { AccessRule } from '../policy/access-rule.ts';
import type { Capability } from '../policy/capability.ts';
import type { ApiEnvironment } from './environment.ts';

/** Who may call an endpoint; all other requests are refused with 401 or 403. */
export type Audience = 'anyone' | 'any user' | 'admin';

type Method = 'get' | 'post' | 'put' | 'delete';
type QuerySchema = GenericSchema<Record<string, unknown>>;

export interface AnswerDescription {
  /** Meaning of the status. */
  readonly meaning: string;
  /** Its JSON body; `undefined` if it has none. */
  readonly body?: GenericSchema;
}

/** Answers by status. The document adds 401, 403, 413, 415 and 422 where they apply. */
export type Answers = Readonly<Record<number, AnswerDescription>>;

interface Route extends Pick<
  AccessRule,
  'requiresSession' | 'namesNoCamera' | 'beforeSecondFactor' | 'display'
> {
  /** The capability that a role needs besides the level, if any. */
  readonly may?: Exclude<Capability, 'ptz' | 'talk'>;
  /** HEAD is answered like GET. */
  readonly method: Method | 'all';
  /** `:name` is a parameter. */
  readonly path: `/${string}`;
  /** `camera-in-path`: the role is granted the camera that `:camera` of the path names. */
  readonly level: 'public' | 'own-account' | 'any' | 'camera-in-path' | 'admin-only';
}

/** Documentation of an endpoint, with the schemas that check its requests. */
export interface Description {
  /** Heading in the document. */
  readonly tag: string;
  /** Only when the id made of method and path is taken by another endpoint. */
  readonly operationId?: string;
  readonly summary: string;
  /** Says more than the summary. Markdown. */
  readonly description?: string;
  /** Only where the access level does not show it. */
  readonly audience?: Audience;
  /** Meanings of the parameters in the path. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** Schemas of path parameters that are limited to certain texts. */
  readonly pathForms?: Readonly<Record<string, GenericSchema>>;
  readonly query?: QuerySchema | undefined;
  /** Meanings of the query parameters. */
  readonly queryParameters?: Readonly<Record<string, string>>;
  /** The schema of the JSON body. */
  readonly body?: GenericSchema | undefined;
  readonly bodyExample?: unknown;
  /** Programs may send the body without `Content-Type`. */
  readonly bodyMayLackType?: boolean;
  readonly answers: Answers;
}

/** One method of one path: who may call it, what it takes, answers and does. */
export interface Endpoint extends Route, Partial<Description> {
  /** Checks requirements before the body is read. Like `handle`, it is created once for each configuration. */
  readonly before?: (services: never) => (c: never) => void | Promise<void>;
  readonly handle: (services: never) => (c: never) => unknown;
}

/** An endpoint that another server answers. */
export interface ForeignEndpoint extends Description {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly level: Route['level'];
}

/** An endpoint as clients see it. */
export interface Operation extends Omit<Description, 'audience'> {
  readonly method: Method;
  /** With `{name}` for a parameter. */
  readonly path: string;
  readonly audience: Audience;
}

type EndpointContext<Path extends string, Query, Body> = Context<
  ApiEnvironment,
  Path,
  {
    in: object;
    out: (Query extends GenericSchema ? { query: InferOutput<Query> } : object) &
      (Body extends GenericSchema ? { json: InferOutput<Body> } : object);
  }
>;

type AsGiven<T> = T extends object ? { readonly [Key in keyof T]: AsGiven<T[Key]> } : T;

/** The body of a successful answer, as a handler returns it. */
type Success<Possible extends Answers> = {
  [Status in keyof Possible]: Status extends 200 | 201
    ? Possible[Status] extends { readonly body: infer Body extends GenericSchema }
      ? AsGiven<InferInput<Body>>
      : never
    : Status extends 204
      ? void
      : never;
}[keyof Possible];

type Handler<Services, C, Result> = (services: Services) => (c: C) => Result | Promise<Result>;

/**
 * Defines an endpoint. Its handler returns the body of the successful answer, or a response of its own; it throws `AppError`
 * and `ValidationError` for every other answer.
 */
export function endpoint<
  const M extends Method,
  const Path extends `/${string}`,
  const Possible extends Answers,
  Services,
  Query extends QuerySchema | undefined = undefined,
  Body extends GenericSchema | undefined = undefined,
>(
  defined: Route &
    Omit<Description, 'query' | 'body' | 'answers'> & {
      readonly method: M;
      readonly path: Path;
      readonly query?: Query;
      readonly body?: Body;
      readonly answers: Possible;
      readonly before?: Handler<Services, Context<ApiEnvironment>, void>;
      readonly handle: Handler<Services, EndpointContext<Path, Query, Body>, Success<Possible> | Response>;
    },
) {
  return defined;
}

/** Defines an endpoint outside the document: a page, a redirect, or a part of another protocol. */
export function undocumentedEndpoint<const Path extends `/${string}`, Services>(
  defined: Route & {
    readonly path: Path;
    readonly handle: Handler<Services, Context<ApiEnvironment, Path>, Response>;
  },
) {
  return defined;
}

/** All dependencies of the handlers together. */
export type ServicesOf<E extends Endpoint> = (
  E extends { readonly handle: (services: infer Services) => unknown } ? (services: Services) => void : never
) extends (services: infer All) => void
  ? All
  : never;

/** An endpoint with the services that its handler uses. */
export interface Mounted {
  readonly endpoint: Endpoint;
  readonly services: unknown;
}

/** Binds endpoints to their services. */
export function mount<E extends Endpoint>(
  endpoints: readonly E[],
  services: ServicesOf<E>,
): readonly Mounted[] {
  return endpoints.map((endpoint) => ({ endpoint, services }));
}

/** Lists of endpoints by name; the endpoints of a list share their services. */
export type EndpointGroups = Readonly<Record<string, readonly Endpoint[]>>;

export type ServicesOfGroups<Groups extends EndpointGroups> = {
  readonly [Name in keyof Groups]: ServicesOf<Groups[Name][number]>;
};

/** Binds each group to its services. */
export function mountGroups<Groups extends EndpointGroups>(
  groups: Groups,
  services: ServicesOfGroups<Groups>,
): readonly Mounted[] {
  return Object.keys(groups).flatMap((name) => mount(groups[name] ?? [], services[name] as never));
}

/** Adds an endpoint to the app. */
export function serve(app: Hono<ApiEnvironment>, { endpoint, services }: Mounted): void {
  const { method, path, query, body, bodyMayLackType, answers = {}, before, handle } = endpoint;
  const at: [string, string[]] = [method.toUpperCase(), [path]];
  const check = before?.(services as never);
  if (check !== undefined)
    app.on(...at, async (c, next) => {
      await check(c as never);
      await next();
    });
  if (query !== undefined) app.on(...at, validQuery(query));
  if (body !== undefined) app.on(...at, validBody(body, bodyMayLackType));
  const success = Object.keys(answers)
    .map(Number)
    .find((status) => status < 300);
  const answer = handle(services as never);
  app.on(...at, async (c) => {
    const result = await answer(c as never);
    if (result instanceof Response) return result;
    return result === undefined ? c.body(null, 204) : c.json(result, success as ContentfulStatusCode);
  });
}

/** Types for `hc` of `hono/client`: the endpoints at a path and below it. */
export type Client<Base extends string, E extends Endpoint> = Hono<BlankEnv, CallsBelow<Base, E>>;

type CallsBelow<Base extends string, E extends Endpoint> = {
  [Path in E['path'] as Below<Base, Path>]: {
    [Called in Extract<E, { readonly path: Path }> as `$${Called['method']}`]: Call<Called>;
  };
};

type Below<Base extends string, Path extends string> = Path extends Base
  ? '/'
  : Path extends `${Base}${infer Rest extends `/${string}`}`
    ? Rest
    : never;

type Call<E extends Endpoint> = E extends Endpoint & { readonly answers: infer Answers }
  ? {
      [Status in keyof Answers & (200 | 201 | 204)]: {
        input: Input<E>;
        output: Answers[Status] extends { readonly body: infer Body extends GenericSchema }
          ? InferOutput<Body>
          : unknown;
        outputFormat: 'json';
        status: Status;
      };
    }[keyof Answers & (200 | 201 | 204)]
  : never;

type Input<E extends Endpoint> = ([ParamKeys<E['path']>] extends [never]
  ? object
  : { param: Record<ParamKeys<E['path']>, string> }) &
  (E extends { readonly query?: infer Query extends GenericSchema } ? { query: InferInput<Query> } : object) &
  (E extends { readonly body?: infer Body extends GenericSchema } ? { json: InferInput<Body> } : object);
