import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { serve } from '../../../src/api/endpoint.ts';
import { logIn, type LoginDependencies } from '../../../src/api/login/login.ts';
import type { ApiEnvironment } from '../../../src/api/environment.ts';
import { errorAnswer, AppError } from '../../../src/errors.ts';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import type { Users } from '../../../src/accounts/users/users.ts';
import { createTallies } from '../../../src/telemetry/tallies.ts';
import { settings } from './api-dependencies.ts';

/** Logins that are limited, or fail otherwise. */
function limited(findTyped: Users['findTyped']) {
  const recorded: AuditEntry[] = [];
  const sessionMode: LoginDependencies['settings'] = { ...settings, mode: 'session' };
  const app = new Hono<ApiEnvironment>();
  const finishing = {
    settings: sessionMode,
    current: () => ({ settings: sessionMode }),
    audit: { record: async (entry: AuditEntry) => void recorded.push(entry) },
    tallies: createTallies(),
  };
  const services = {
    settings: sessionMode,
    finishing,
    login: { verify: () => Promise.reject(new AppError('too_many_requests', { retryAfterSeconds: 9 })) },
    users: { findTyped, isGeneratedPasswordUnused: async () => false },
  } as unknown as LoginDependencies;
  serve(app, { endpoint: logIn, services });
  app.onError((error, c) => c.json(errorAnswer(error).body, errorAnswer(error).status));
  const guess = async () =>
    app.request(
      'http://localhost/api/login',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: '{"user":"admin","password":"guess"}',
      },
      { incoming: { headers: {}, rawHeaders: [], socket: { remoteAddress: '192.0.2.1' } } },
    );
  return { guess, recorded };
}

test('reports the limit, even when the name cannot be looked up', async () => {
  const { guess, recorded } = limited(() => Promise.reject(new AppError('store_unavailable')));
  expect((await guess()).status).toBe(429);
  expect(recorded).toMatchObject([{ event: 'login_limited', user: undefined }]);
});

test('a flood of guesses asks the store for one name at a time', async () => {
  let [asking, most] = [0, 0];
  const { guess, recorded } = limited(async () => {
    most = Math.max(most, (asking += 1));
    await new Promise((resolve) => setImmediate(resolve));
    asking -= 1;
    return undefined;
  });
  const answers = await Promise.all(Array.from({ length: 20 }, guess));
  expect(answers.every(({ status }) => status === 429)).toBe(true);
  expect([most, recorded.length]).toEqual([1, 20]);
});
