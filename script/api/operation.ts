import type { GenericSchema } from 'valibot';

/** Whom an operation answers; whoever else is refused with 401 or 403. */
export type Audience = 'anybody' | 'any user' | 'admin';

export interface Answer {
  /** What it means. */
  readonly meaning: string;
  /** Its JSON body; undefined: there is none. */
  readonly body?: GenericSchema;
}

/** One method of one path of the API, as clients see it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With `{name}` for what a client fills in. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** What the summary leaves open. Markdown. */
  readonly description?: string;
  readonly audience: Audience;
  /** Meanings of what stands in braces in the path. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** Schemas of what stands in braces, where not every text may. */
  readonly pathForms?: Readonly<Record<string, GenericSchema>>;
  /** The schema that the endpoint checks the query with. */
  readonly query?: GenericSchema<Record<string, unknown>>;
  /** Meanings of what the query may hold. */
  readonly queryParameters?: Readonly<Record<string, string>>;
  /** The schema that the endpoint checks the JSON body with. */
  readonly body?: GenericSchema;
  readonly bodyExample?: unknown;
  /** By status. 401, 403, 413, 415 and 422 are added where they can come. */
  readonly answers: Readonly<Record<number, Answer>>;
}
