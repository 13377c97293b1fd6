import { Hono } from 'hono';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { endpoint, serve } from '../../../src/api/endpoint.ts';
import type { ApiEnvironment } from '../../../src/api/environment.ts';
import { ValidationError } from '../../../src/http/validation.ts';

const described = { level: 'public', tag: 'Doors', summary: 'A door' } as const;
const door = v.strictObject({ name: v.string() });

interface Doors {
  readonly opened: string[];
}

const openDoor = endpoint({
  ...described,
  method: 'put',
  path: '/doors/:name',
  query: v.object({ wide: v.optional(v.picklist(['yes'])) }),
  body: v.object({ key: v.string() }),
  answers: { 201: { meaning: 'Open.', body: door }, 404: { meaning: 'There is none.' } },
  before:
    ({ opened }: Doors) =>
    () =>
      void opened.push('before'),
  handle:
    ({ opened }: Doors) =>
    (c) => {
      const { name } = c.req.param();
      opened.push(`${name} ${c.req.valid('query').wide ?? 'no'} ${c.req.valid('json').key}`);
      return { name };
    },
});
const closeDoor = endpoint({
  ...described,
  method: 'delete',
  path: '/doors/:name',
  answers: { 204: { meaning: 'Closed.' } },
  handle: () => async () => {},
});
const showDoor = endpoint({
  ...described,
  method: 'get',
  path: '/doors/:name',
  answers: { 200: { meaning: 'A picture.', body: door } },
  handle: () => (c) => c.text('a door', 203),
});

function site() {
  const opened: string[] = [];
  const app = new Hono<ApiEnvironment>();
  for (const one of [openDoor, closeDoor, showDoor] as const)
    serve(app, { endpoint: one, services: { opened } });
  app.onError((error, c) => c.text(error.message, error instanceof ValidationError ? 422 : 500));
  const open = (query: string, body: object) =>
    app.request(`/doors/front${query}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { app, opened, open };
}

test('an endpoint answers with the status and the body that it describes', async () => {
  const { app, opened, open } = site();
  const answer = await open('?wide=yes', { key: 'k' });
  expect([answer.status, await answer.json()]).toEqual([201, { name: 'front' }]);
  expect(opened).toEqual(['before', 'front yes k']);
  const closed = await app.request('/doors/front', { method: 'DELETE' });
  expect([closed.status, await closed.text()]).toEqual([204, '']);
});

test('a response of its own is sent as it is', async () => {
  const answer = await site().app.request('/doors/front');
  expect([answer.status, await answer.text()]).toEqual([203, 'a door']);
});

test.each<[query: string, body: object]>([
  ['?wide=no', { key: 'k' }],
  ['', { key: 7 }],
])('the query %s with the body %j reaches `before`, but not the handler', async (query, body) => {
  const { opened, open } = site();
  expect((await open(query, body)).status).toBe(422);
  expect(opened).toEqual(['before']);
});

test('answers no other path or method', async () => {
  const { app } = site();
  expect((await app.request('/doors/front', { method: 'POST' })).status).toBe(404);
  expect((await app.request('/doors/front/x')).status).toBe(404);
});
