import { expect, test } from 'vitest';
import { emptyDatabase } from '../support/postgres.ts';
import { startGateway } from '../support/start-gateway.ts';

const secret = { SERVICE_JWT_SECRET: 's'.repeat(64) };

test('two gates on one store: one admin, and a logout at one is a refusal at the other', async () => {
  const { url } = await emptyDatabase();
  const config = { store: { url }, tls: { enabled: false } };
  const gates = await Promise.all(
    Array.from({ length: 2 }, () => startGateway({ config, environment: secret })),
  );
  try {
    const passwords = gates.flatMap(({ log }) =>
      log.flatMap(({ msg }) => /password: (\S+)/.exec(String(msg))?.[1] ?? []),
    );
    expect(passwords).toHaveLength(1);
    const [one, other] = gates.map(({ addresses }) => `http://${addresses.authenticated}`);
    const login = await fetch(`${one}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'admin', password: passwords[0] }),
    });
    expect(login.status).toBe(200);
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const profileAt = async (gate: string | undefined) =>
      (await fetch(`${gate}/api/profile`, { headers: { cookie } })).status;
    expect([await profileAt(other), await profileAt(one), await profileAt(other)]).toEqual([200, 200, 200]);
    await fetch(`${one}/api/logout`, { method: 'POST', headers: { cookie } });
    expect(await profileAt(one)).toBe(401);
    await expect.poll(() => profileAt(other)).toBe(401);
    for (const path of ['sessions', 'audit?search=ADM&event=login', 'tokens', 'users/count?search=dm'])
      expect((await fetch(`${one}/postern/api/${path}`, { headers: { cookie } })).status).toBe(401);
  } finally {
    await Promise.all(gates.map(({ close }) => close()));
  }
});
