import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';

export interface OpenapiDependencies {
  /** The OpenAPI document, as text. */
  readonly openapi: () => string;
}

export const readOpenapi = endpoint({
  method: 'get',
  path: '/postern/api/openapi.json',
  level: 'any',
  namesNoCamera: true,
  tag: 'This description',
  summary: 'Get this API as OpenAPI 3.1',
  answers: { 200: { meaning: 'An OpenAPI document.', body: v.looseObject({ openapi: v.string() }) } },
  handle:
    ({ openapi }: OpenapiDependencies) =>
    (c) =>
      c.body(openapi(), 200, { 'content-type': 'application/json' }),
});
