import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { codesFor, pair, screenAt } from '../support/screen.ts';
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

const approve = (code: string, headers: ReadonlyArray<readonly [string, string]> = []) =>
  vera.send('POST', '/postern/api/displays', { user_code: code, name: 'Hall' }, headers);

test.each<[by: string, header: readonly [string, string]]>([
  ['its site', ['Sec-Fetch-Site', 'cross-site']],
  ['its origin', ['Origin', 'https://evil.example']],
  ['another port', ['Sec-Fetch-Site', 'same-site']],
])('a page of another site, known by %s, approves and refuses no screen', async (_, header) => {
  const { user_code: code } = await codesFor(screenAt(address()));
  expect((await approve(code, [header])).status).toBe(403);
  expect((await vera.send('DELETE', `/postern/api/displays/code/${code}`, undefined, [header])).status).toBe(
    403,
  );
  expect((await vera.send('GET', `/postern/api/displays/code/${code}`)).status).toBe(200);
  await vera.send('DELETE', `/postern/api/displays/code/${code}`);
});

test('a page of another site begins no pairing, and fetches no credential', async () => {
  const from = [['Sec-Fetch-Site', 'cross-site']] as const;
  const screen = screenAt(address());
  for (const [path, body] of [
    ['code', {}],
    ['token', { device_code: 'x' }],
  ] as const)
    expect((await screen.send('POST', `/postern/api/displays/${path}`, body, from)).status).toBe(403);
});

test('the codes that a user may try are few, and a screen may not ask for many', async () => {
  const guesses = ['BBBB-BBBB', 'CCCC-CCCC', 'DDDD-DDDD', 'FFFF-FFFF', 'GGGG-GGGG', 'HHHH-HHHH'];
  const look = (code: string) => olaf.send('GET', `/postern/api/displays/code/${code}`);
  const answers = [];
  for (const code of guesses) answers.push((await look(code)).status);
  expect(answers).toEqual([404, 404, 404, 404, 404, 429]);
  // Others continue.
  expect((await vera.send('GET', '/postern/api/displays/code/BBBB-BBBB')).status).toBe(404);

  const asked = [];
  // What was paired counts no longer.
  for (let i = 0; i < 6; i += 1) {
    const id = await pair(screenAt(address()), vera, { name: `Screen ${i}` });
    await vera.send('DELETE', `/postern/api/displays/${id}`);
  }
  const screen = screenAt(address());
  for (let i = 0; i < 6; i += 1)
    asked.push((await screen.send('POST', '/postern/api/displays/code', {})).status);
  expect(asked.at(-1)).toBe(429);
});
