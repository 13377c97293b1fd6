import type { Hono } from 'hono';
import type { GenericSchema } from 'valibot';
import type { AccessRule } from '../policy/access-rule.ts';
import type { ApiEnvironment } from './request-context.ts';

/** Whom an endpoint answers; whoever else is refused with 401 or 403. */
export type Audience = 'anybody' | 'any user' | 'admin';

export interface Answer {
  /** What it means. */
  readonly meaning: string;
  /** Its JSON body; undefined: there is none. */
  readonly body?: GenericSchema;
}

/** What the reference says of an endpoint, with the schemas that the endpoint checks by. */
export interface Reference {
  /** Where the one that method and path make is that of another endpoint. */
  readonly operationId?: string;
  readonly summary: string;
  /** What the summary leaves open. Markdown. */
  readonly description?: string;
  /** Where the access level does not say it. */
  readonly audience?: Audience;
  /** Meanings of the parameters in the path. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** Schemas of the parameters in the path, where not every text may stand. */
  readonly pathForms?: Readonly<Record<string, GenericSchema>>;
  readonly query?: GenericSchema<Record<string, unknown>>;
  /** Meanings of what the query may hold. */
  readonly queryParameters?: Readonly<Record<string, string>>;
  /** Of the JSON body. */
  readonly body?: GenericSchema;
  readonly bodyExample?: unknown;
  /** By status. 401, 403, 413, 415 and 422 are added where they can come. */
  readonly answers: Readonly<Record<number, Answer>>;
}

type Method = 'get' | 'post' | 'put' | 'delete';

/** One method of one path. HEAD goes where GET goes. */
export interface Endpoint extends Pick<
  AccessRule,
  'requiresSession' | 'namesNoCamera' | 'beforeSecondFactor'
> {
  readonly method: Method | 'all';
  /** Below the path of the resource; `:name` is a parameter. */
  readonly path: '' | `/${string}`;
  readonly level: 'public' | 'own-account' | 'any' | 'admin-only';
  /** Undefined: the reference does not name it. */
  readonly reference?: Reference;
}

/** Endpoints with one path above them, and the handlers that answer them. */
export interface Resource<Services> {
  readonly path: `/${string}`;
  /** Heading in the reference. */
  readonly tag?: string;
  // Each resource has its own types of paths and answers, which only its clients ask for.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly routes: (services: Services) => Hono<ApiEnvironment, any, any>;
  readonly endpoints: readonly Endpoint[];
}

/** An endpoint as clients see it. */
export interface Operation extends Omit<Reference, 'audience'> {
  readonly method: Method;
  /** With `{name}` for a parameter. */
  readonly path: string;
  readonly tag: string;
  readonly audience: Audience;
}
