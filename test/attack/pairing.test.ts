import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { pair, screenAt } from '../support/screen.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let vera: Visitor;
let olaf: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
beforeAll(async () => {
  gateway = await startGateway({ config: { auth: { failed_login_rate_limit: '5/hour' } } });
  const admin = await adminOf(gateway);
  vera = await userOf(admin, address(), 'vera', 'viewer');
  olaf = await userOf(admin, address(), 'olaf', 'viewer');
});
afterAll(() => gateway?.close());

test('the codes that a user may try are few, and a screen may not ask for many', async () => {
  const guesses = ['BBBB-BBBB', 'CCCC-CCCC', 'DDDD-DDDD', 'FFFF-FFFF', 'GGGG-GGGG', 'HHHH-HHHH'];
  const look = (code: string) => olaf.send('GET', `/postern/api/displays/code/${code}`);
  const answers = [];
  for (const code of guesses) answers.push((await look(code)).status);
  expect(answers).toEqual([404, 404, 404, 404, 404, 429]);
  // Others continue.
  expect((await vera.send('GET', '/postern/api/displays/code/BBBB-BBBB')).status).toBe(404);

  // What was paired counts no longer.
  for (let i = 0; i < 6; i += 1) {
    const id = await pair(screenAt(address()), vera, { name: `Screen ${i}` });
    await vera.send('DELETE', `/postern/api/displays/${id}`);
  }
  const screen = screenAt(address());
  const asked = [];
  for (let i = 0; i < 5; i += 1) asked.push(await screen.send('POST', '/postern/api/displays/code', {}));
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  expect(asked.at(-1)?.headers.get('retry-after')).toEqual(['600']);
});
