import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { apiListener } from '../../../src/api/listener.ts';
import { AppError } from '../../../src/errors.ts';
import { mostInOneTurn } from '../../support/turns.ts';
import { apiDependencies } from './api-dependencies.ts';

test('of a burst of sign-ins over the limit, each turn of the event loop refuses one', async () => {
  const { dependencies } = apiDependencies({ mode: 'session' });
  const requireRoom = () => {
    throw new AppError('too_many_requests', { retryAfterSeconds: 5 });
  };
  let recorded = 0;
  const record = async () => void (recorded += 1);
  const listener = apiListener(
    { fetch: () => expect.fail('the API was asked') },
    { entryPoint: 'authenticated', listener: 'client-facing', tls: false },
    { ...dependencies, hasher: { requireRoom }, audit: { record } },
  );
  // Three at once, in whatever turn they arrive.
  const burst = createServer((incoming, outgoing) => {
    waiting.push(() => listener(incoming, outgoing));
    if (waiting.length === 3) for (const begin of waiting) begin();
  }).listen(0, '127.0.0.1');
  const waiting: Array<() => void> = [];
  onTestFinished(() => void burst.close());
  await once(burst, 'listening');
  const { port } = burst.address() as AddressInfo;
  const logIn = async () => {
    const sent = request({ port, method: 'POST', path: '/api/login', agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [{ statusCode: number; headers: object }];
    return [answer.statusCode, answer.headers];
  };
  const answers = Promise.all([logIn(), logIn(), logIn()]);
  expect(await mostInOneTurn(answers, () => recorded)).toBe(1);
  for (const answer of await answers) expect(answer).toMatchObject([429, { 'retry-after': '5' }]);
  expect(recorded).toBe(3);
  expect(dependencies.tallies.logins.limited).toBe(3);
});
