import { sValidator } from '@hono/standard-validator';
import type { GenericSchema } from 'valibot';

interface Issue {
  readonly message: string;
  readonly type?: string;
  readonly input?: unknown;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** One thing wrong with a query or a body, as clients of recorders expect it. */
interface ValidationDetail {
  readonly loc: ReadonlyArray<string | number>;
  readonly msg: string;
  readonly type: string;
}

/** Hono middleware that checks a query or a JSON body; what does not fit gets 422 with every problem. */
export function validate<S extends GenericSchema, T extends 'query' | 'json'>(target: T, schema: S) {
  return sValidator(target, schema, (result, c) => {
    if (result.success) return undefined;
    const location = target === 'json' ? 'body' : target;
    return c.json({ detail: result.error.map((issue) => detailOf(issue, location)) }, 422);
  });
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
