import { operations } from '../support/every-endpoint.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openapiDocument } from '../../src/api/openapi/openapi-document.ts';
import { createApi } from '../../src/api/api.ts';
import { createEventsApp } from '../../src/events/events-app.ts';
import { apiDependencies, mountEvery } from './api/api-dependencies.ts';

const document = openapiDocument(operations);

test('the document is one of OpenAPI 3.1', async () => {
  const validate = (specification: Record<string, unknown>) => new Validator().validate(specification);
  expect(await validate(document)).toMatchObject({ valid: true });
  expect(await validate({ ...document, info: {} })).toMatchObject({ valid: false });
});

test('every operation has an id of its own', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => (operation as { operationId: string }).operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

describe('the document and the routes', () => {
  const { dependencies } = apiDependencies();
  const anything = undefined as never;
  const routes = [
    ...createApi(
      { ...dependencies, authorization: { authorize: anything, evaluate: anything, record: anything } },
      mountEvery({ ...dependencies, authorize: anything, evaluate: anything }),
      dependencies,
    ).routes,
    ...createEventsApp({
      database: anything,
      roundRobin: anything,
      grantOf: anything,
      logger: anything,
      onRefused: anything,
    }).routes,
  ];
  const written = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');
  const answered = new Set(
    routes
      .filter(({ method, path }) => method !== 'ALL' && /\/api\/./.test(path))
      .map(({ method, path }) => `${method} ${written(path)}`),
  );
  const described = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`));

  test('name the same operations', () => {
    expect([...described].toSorted()).toEqual([...answered].toSorted());
  });

  test('are more than a few', () => {
    expect(answered.size).toBeGreaterThan(15);
  });
});
