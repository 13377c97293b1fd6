import { Hono } from 'hono';
import type { ApiEnvironment } from '../request-context.ts';

export interface OpenapiDependencies {
  /** The OpenAPI document, as text. */
  readonly openapi: () => string;
}

/** `/postern/api/openapi.json`. */
export function openapiRoutes({ openapi }: OpenapiDependencies) {
  return new Hono<ApiEnvironment>().get('/', (c) =>
    c.body(openapi(), 200, { 'content-type': 'application/json' }),
  );
}
