import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';

export const openapiDescription: Reference = {
  summary: 'The API in the form of OpenAPI 3.1',
  answers: { 200: { meaning: 'An OpenAPI document.', body: v.looseObject({ openapi: v.string() }) } },
};
