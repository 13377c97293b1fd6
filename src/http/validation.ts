import { sValidator } from '@hono/standard-validator';
import type { Context, Env, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { AppError } from '../errors.ts';

interface Issue {
  readonly message: string;
  readonly type?: string;
  readonly input?: unknown;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: unknown }> | undefined;
}

/** One error in a query or a body, in the form that clients of recorders expect. */
interface ValidationDetail {
  readonly loc: ReadonlyArray<string | number>;
  readonly msg: string;
  readonly type: string;
}

/** Invalid input; the answer is 422 with every error. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  /** The answer. */
  readonly body: { readonly message: string; readonly detail: readonly ValidationDetail[] };

  /** @param message for pages that show no list of errors, such as a recorder's */
  constructor(detail: readonly ValidationDetail[], message = messageOf(detail)) {
    super('invalid input');
    this.body = { message, detail };
  }
}

// Errors in one message: a list may have thousands.
const mostInMessage = 3;

function messageOf(detail: readonly ValidationDetail[]): string {
  const problems = detail.slice(0, mostInMessage).map(({ loc, msg, type }) => {
    const place = loc.slice(1).join('.');
    // A message about a part of a field names neither.
    const isPart = loc.length > 2;
    return place !== '' && (type === 'missing' || isPart) ? `${place}: ${msg}` : msg;
  });
  return problems.join('. ');
}

/**
 * @param loc position, such as `['body', 'role']`
 * @param message as for `ValidationError`
 */
export function invalid(loc: ReadonlyArray<string | number>, msg: string, message?: string): ValidationError {
  return new ValidationError([{ loc, msg, type: 'value_error' }], message);
}

/** Hono middleware that checks the query. @throws ValidationError */
export function validQuery<S extends v.GenericSchema>(schema: S) {
  return sValidator('query', schema, (result) => {
    if (!result.success) throw new ValidationError(result.error.map((issue) => detailOf(issue, 'query')));
  });
}

/** Characters, not units of UTF-16. */
export const textOf = (least: number, most: number) =>
  v.pipe(
    v.string('Input should be text'),
    v.metadata({ minLength: least, maxLength: most }),
    v.check((given) => {
      const { length } = [...given];
      return length >= least && length <= most;
    }, `Input should have ${least} to ${most} characters`),
  );

/**
 * A JSON body without other fields than these: where a right is given, a misspelt limit would be no limit.
 */
export const strictBody = <const Fields extends v.ObjectEntries>(fields: Fields) =>
  v.strictObject(fields, ({ expected, input }) =>
    expected === 'never' ? `Unknown field: ${String(input)}` : 'Input should be an object',
  );

// A password and two names: this API accepts nothing longer.
const longestBody = 16 * 1024;

/**
 * Hono middleware that reads a JSON body, unless the variable `body` has it, and validates it for `c.req.valid('json')`. A body of
 * which nothing is required may be left out.
 * @param mayLackType whether a program may leave out `Content-Type`
 * @throws ValidationError, AppError `unsupported_media_type`, `payload_too_large`
 */
export function validBody<S extends v.GenericSchema>(
  schema: S,
  mayLackType = false,
): MiddlewareHandler<Env, string, { in: { json: v.InferInput<S> }; out: { json: v.InferOutput<S> } }> {
  return async (c, next) => {
    const isTyped = isJson(c) || (mayLackType && isOfProgram(c));
    const body = (await isLeftOut(c, schema)) ? {} : await readJson(c, isTyped);
    const result = v.safeParse(schema, body);
    if (!result.success) throw new ValidationError(result.issues.map((issue) => detailOf(issue, 'body')));
    c.req.addValidatedData('json', result.output as object);
    await next();
  };
}

/** A body that has been read, unless it is longer than this API accepts. */
export type ReadBody = Uint8Array | 'too_large';

export async function readBody(request: Pick<Request, 'body'>): Promise<ReadBody> {
  // Not a list of chunks: a chunk of one byte would take far more memory.
  const body = Buffer.alloc(longestBody);
  let length = 0;
  for await (const chunk of request.body ?? []) {
    if (length + chunk.length > longestBody) return 'too_large';
    body.set(chunk, length);
    length += chunk.length;
  }
  return Buffer.from(body.subarray(0, length));
}

/** Whether there is no body, and none is needed. */
async function isLeftOut(c: Context, schema: v.GenericSchema): Promise<boolean> {
  if (c.req.header('content-type') !== undefined || !v.is(schema, {})) return false;
  const body = (c.get('body') as ReadBody | undefined) ?? (await readBody(c.req.raw));
  return body !== 'too_large' && body.length === 0;
}

function isJson(c: Context): boolean {
  return /^application\/json(?:\s*;|$)/i.test(c.req.header('content-type') ?? '');
}

/** Whether a request without a type comes from no browser: a page of another site can send one too, but not without these headers. */
function isOfProgram(c: Context): boolean {
  return ['content-type', 'origin', 'sec-fetch-site'].every((name) => c.req.header(name) === undefined);
}

async function readJson(c: Context, isTyped: boolean): Promise<unknown> {
  if (!isTyped) throw new AppError('unsupported_media_type');
  const body = (c.get('body') as ReadBody | undefined) ?? (await readBody(c.req.raw));
  if (body === 'too_large') throw new AppError('payload_too_large');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's own message repeats the body, which contains a password.
    throw new AppError('unsupported_media_type');
  }
}

function detailOf(issue: Issue, location: string): ValidationDetail {
  const path = (issue.path ?? []).map((part) => {
    const key = typeof part === 'object' ? part.key : part;
    return typeof key === 'number' ? key : String(key);
  });
  const missing = issue.input === undefined;
  return {
    loc: [location, ...path],
    msg: missing ? 'Field required' : issue.message,
    type: missing ? 'missing' : (issue.type ?? 'value_error'),
  };
}
