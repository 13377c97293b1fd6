import { expect, onTestFinished, test } from 'vitest';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { startGateway } from '../support/start-gateway.ts';

const kindsFor = async (who: Visitor) => {
  const { status, body } = await who.send('GET', '/postern/api/attention');
  return status === 200 ? (JSON.parse(body) as Array<{ kind: string }>).map(({ kind }) => kind) : status;
};

test('a new gate shows its admin what is left to do, and all others that the events are a sample', async () => {
  const gateway = await startGateway({ sample: true });
  onTestFinished(() => gateway.close());
  const address = gateway.addresses.authenticated ?? '';
  const admin = await adminOf(gateway);
  expect(await kindsFor(admin)).toEqual(['password_generated', 'first_run', 'sample_data']);
  const vera = await userOf(admin, address, 'vera', 'viewer');
  expect(await kindsFor(vera)).toEqual(['sample_data']);
  expect(await kindsFor(visitor(address))).toBe(401);
  const internal = visitor(gateway.addresses.internal ?? '', false);
  expect(await kindsFor(internal)).toEqual(['first_run', 'sample_data']);
  expect(await kindsFor(visitor(gateway.addresses.forwardAuthAuthenticated ?? ''))).toBe(401);

  const old = /password: (\S+)/.exec(gateway.log.map(({ msg }) => String(msg)).join('\n'))?.[1];
  const changed = await admin.send('PUT', '/api/users/admin/password', {
    password: goodPassword,
    old_password: old,
  });
  expect(changed.status).toBe(200);
  expect(await kindsFor(admin)).toEqual(['first_run', 'sample_data']);
});

test('reports a certificate that expires soon', async () => {
  let time = Date.now();
  const gateway = await startGateway({ clock: { now: () => time } });
  onTestFinished(() => gateway.close());
  expect(await kindsFor(await adminOf(gateway))).not.toContain('certificate_ends');
  // The gate has made it for 825 days.
  time += 810 * 86_400_000;
  const answer = await (await adminOf(gateway)).send('GET', '/postern/api/attention');
  expect(JSON.parse(answer.body)).toContainEqual(
    expect.objectContaining({
      kind: 'certificate_ends',
      detail: expect.objectContaining({ days: 14 }) as unknown,
    }),
  );
});
