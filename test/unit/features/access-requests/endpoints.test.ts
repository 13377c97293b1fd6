import { expect, test } from 'vitest';
import {
  answerAccessRequest,
  askForAccess,
  listAccessRequests,
  listOwnAccessRequests,
} from '../../../../src/features/access-requests/endpoints.ts';
import type { Endpoint } from '../../../../src/api/endpoint.ts';
import { rolesOf } from '../../../support/roles.ts';
import { askEndpoint, sessionSettings } from '../../api/ask-endpoint.ts';

const settings = {
  ...sessionSettings,
  rules: { ...sessionSettings.rules, roles: rolesOf([['family', ['front']]]) },
};
const requestOf = (username: string, role: string, camera: string) => ({
  username,
  role,
  camera,
  askedAt: 1_000_000,
  againAt: 87_400_000,
});
const waiting = [
  requestOf('vera', 'viewer', 'garage'),
  requestOf('olaf', 'family', 'garage'),
  requestOf('olaf', 'family', 'front'),
  requestOf('olaf', 'family', 'removed'),
];

/** Olaf, who sees the front, or an admin, asks an endpoint. */
async function ask(endpoint: Endpoint, path: string, body?: object) {
  const done: unknown[][] = [];
  const asked = askEndpoint<Endpoint>({
    endpoint,
    access: { grant: new Set(['front']) },
    services: {
      settings,
      changeLimit: { take: async (what: string, whose: string) => void done.push([what, whose]) },
      accessRequests: {
        ask: async (user: string, camera: string, isKnown: boolean) =>
          void done.push([user, camera, isKnown]),
        list: async () => waiting,
        of: async (user: string) => waiting.filter(({ username }) => username === user),
        answer: async (user: string, camera: string) =>
          waiting.some((one) => one.username === user && one.camera === camera),
      },
    },
  });
  const answer = await asked.ask(path, body);
  const json: unknown = answer.body === '' ? undefined : JSON.parse(answer.body);
  return { status: answer.status, json, done, recorded: asked.recorded };
}

const counted = ['access_request', 'olaf'];

test.each<[what: string, camera: string, done: readonly unknown[][], events: readonly string[]]>([
  ['that is hidden', 'garage', [counted, ['olaf', 'garage', true]], ['access_asked']],
  ['that is seen already', 'front', [counted], []],
  ['that does not exist', 'attic', [counted, ['olaf', 'attic', false]], []],
])('a request for a camera %s has the same answer', async (_, camera, done, events) => {
  const found = await ask(askForAccess, '/postern/api/access-requests', { camera });
  expect([found.status, found.done]).toEqual([204, done]);
  expect(found.recorded.map(({ event }) => event)).toEqual(events);
});

test('admins see what roles do not cover, of cameras that exist', async () => {
  const { json } = await ask(listAccessRequests, '/postern/api/access-requests');
  expect(json).toEqual([{ user: 'olaf', role: 'family', camera: 'garage', asked_at: 1_000 }]);
});

test('users see their own requests, until they see the camera', async () => {
  const { json } = await ask(listOwnAccessRequests, '/postern/api/access-requests/own');
  const own = { asked_at: 1_000, again_at: 87_400 };
  expect(json).toEqual([
    { camera: 'garage', ...own },
    { camera: 'removed', ...own },
  ]);
});

test.each<[user: string, camera: string, status: number]>([
  ['olaf', 'garage', 204],
  ['olaf', 'attic', 404],
  ['eve', 'garage', 404],
])('an answer to %s about %s: %i', async (user, camera, status) => {
  const found = await ask(answerAccessRequest, `/postern/api/access-requests/${user}/${camera}`);
  expect(found.status).toBe(status);
  const entry = { event: 'access_answered', user: 'olaf', object: user, detail: { camera } };
  expect(found.recorded).toMatchObject(status === 204 ? [entry] : []);
  expect(found.recorded).toHaveLength(status === 204 ? 1 : 0);
});
