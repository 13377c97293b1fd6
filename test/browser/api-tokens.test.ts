import { describe, expect } from 'vitest';
import { logInBy } from '../support/browse.ts';
import { goodPassword, type Visitor } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { newSession, startSite, startTab, test, ways } from '../support/site.ts';
import { choose } from '../support/choose.ts';

const site = startSite();

const statusOf = async (token: string, uri: string) => {
  const address = site().gateway.addresses.authenticated ?? '';
  return (await sendRaw(address, { uri, headers: [['Authorization', `Bearer ${token}`]] }, true)).status;
};
const make = async (owner: Visitor, wanted: object): Promise<string> => {
  const { status, body } = await owner.send('POST', '/postern/api/tokens', wanted);
  if (status !== 201) throw new Error(body);
  return (JSON.parse(body) as { token: string }).token;
};

describe.each(ways)('$way', (way) => {
  test('one makes a token, sees it once, copies it and revokes it', async ({ open }) => {
    const name = `tok-${way.front.slice(0, 5).trim()}`;
    await site().addUser(name, 'viewer');
    const { page, context } = await open(way, { as: await newSession(site().gateway, name) });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/postern/account');
    await page.getByText('No API tokens yet.').waitFor();
    await page.getByRole('button', { name: 'Add API token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add API token' });
    await dialog.getByLabel('Role').waitFor();
    await expect
      .poll(() => dialog.getByLabel('Role').locator('option').allTextContents())
      .toEqual(['viewer', 'family', 'quiet']);
    await dialog.getByLabel('Name').fill('Home Assistant');
    await dialog.getByLabel('Expires').selectOption('in a year');
    await dialog.getByLabel('Only some of the cameras').check();
    await dialog.getByRole('button', { name: 'Add API token' }).click();
    await dialog.getByRole('alert').getByText('Choose at least one camera.').waitFor();
    await dialog.getByLabel('Garage', { exact: true }).check();
    await dialog.getByLabel('Limit what it may do').check();
    await dialog.getByRole('button', { name: 'Add API token' }).click();
    await dialog.getByRole('alert').getByText('Choose at least one thing').waitFor();
    await dialog.getByLabel('Recordings', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Add API token' }).click();

    const shown = page.getByRole('dialog', { name: 'API token Home Assistant' });
    await shown.getByText('you won’t see it again').waitFor();
    const field = shown.getByLabel('API token', { exact: true });
    const token = await field.inputValue();
    // A screen reader reads the token: its field has the focus.
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe(token);
    expect(await statusOf(token, '/api/events?cameras=garage')).toBe(200);
    expect(await statusOf(token, '/api/events?cameras=front_door')).toBe(403);
    expect(await statusOf(token, '/api/garage/latest.jpg')).toBe(403);
    await page.mouse.click(2, 2);
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('status').getByText('Copied.').waitFor();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(token);
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });

    const row = page.getByRole('table', { name: 'API tokens' }).locator('tbody tr');
    await row.getByText('from 127.0.0.1').waitFor({ state: 'detached' });
    await page.reload();
    await row.getByText('from 127.0.0.1').waitFor();
    const text = (await row.textContent())?.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/^Home Assistant ?viewerGarageRecordings.*expires .*last used .* from 127\.0\.0\.1/);
    expect(await page.content()).not.toContain(token);

    await page.getByRole('button', { name: 'Revoke Home Assistant' }).click();
    const revoke = page.getByRole('dialog', { name: 'Revoke Home Assistant?' });
    await revoke.getByRole('button', { name: 'Cancel' }).click();
    expect(await statusOf(token, '/api/events?cameras=garage')).toBe(200);
    await page.getByRole('button', { name: 'Revoke Home Assistant' }).click();
    await revoke.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API tokens yet.').waitFor();
    expect(await statusOf(token, '/api/events?cameras=garage')).toBe(401);
  });
});

test('a name that is taken is said, and so is a failure', async ({ open }) => {
  const session = await newSession(site().gateway, 'anna');
  const name = 'twice';
  await make(session, { name, role: 'family' });
  const { page, expectInConsole } = await open(ways[0], { as: session });
  expectInConsole(/503/);
  await page.goto('/postern/account');
  await page.getByRole('button', { name: 'Add API token' }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByLabel('Role').locator('option').allTextContents()).toEqual(['family']);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Add API token' }).click();
  await dialog.getByRole('alert').getByText('You already have an API token with this name.').waitFor();
  await page.route('**/api/tokens', (route) =>
    route.fulfill({
      status: 503,
      json: { message: "Accounts can't be read or changed right now" },
    }),
  );
  await dialog.getByLabel('Name').fill('another');
  await dialog.getByRole('button', { name: 'Add API token' }).click();
  await dialog.getByRole('alert').getByText("Accounts can't be read").waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.route('**/api/tokens?**', (route) =>
    route.fulfill({ status: 503, json: { message: 'Not at the moment' } }),
  );
  await page.reload();
  await page.getByRole('alert').getByText('Not at the moment').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(name).waitFor();
});

describe('Settings > API tokens', () => {
  const tab = startTab(() => ways[1], { as: 'admin' });

  test('an admin sees those of all users, and what is refused', async () => {
    const demi = await site().addUser('demi', 'admin');
    const wide = await make(demi, { name: 'too wide', role: 'admin' });
    const good = await make(demi, { name: 'good', role: 'viewer' });
    await make(demi, { name: 'short', role: 'viewer', expires_in_days: 1 });
    await site().admin.send('PUT', '/api/users/demi/role', { role: 'viewer' });
    const { page } = tab();
    await page.route('**/api/tokens?**', async (route) => {
      const json = (await (await route.fetch()).json()) as Array<{ name: string; state: string }>;
      for (const one of json) if (one.name === 'short') one.state = 'expired';
      await route.fulfill({ json });
    });
    await page.goto('/postern/settings/tokens');
    await page.getByRole('heading', { name: 'API tokens' }).waitFor();
    await expect.poll(() => page.title()).toContain('API tokens');
    const rows = page.locator('tbody tr').filter({ hasText: 'demi' });
    const rowOf = (token: string) => rows.filter({ hasText: token });
    await rowOf('too wide').getByText('Refused: its role may do more than demi may now.').waitFor();
    await rowOf('short').getByText('expired').waitFor();
    expect(await rowOf('good').textContent()).not.toMatch(/Refused|expired/);
    expect(await statusOf(wide, '/api/events')).toBe(401);
    expect(await statusOf(good, '/api/events')).toBe(200);

    // By the keyboard alone.
    await page.getByRole('button', { name: 'Revoke good of demi' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await rowOf('good').waitFor({ state: 'detached' });
    expect(await statusOf(good, '/api/events')).toBe(401);
  });
});

test('on the internal entry point there is no account to make one for', async ({ open }) => {
  const { page } = await open(site().internalOrigin('embedded front'));
  await page.goto('/postern/account');
  await page.getByText('There’s no password here.').waitFor();
  await expect.poll(() => page.getByText('API token').count()).toBe(0);
});

describe('a password change ends the API tokens only if that is ticked', () => {
  const twoTokensOf = async (name: string) => {
    const owner = await site().addUser(name, 'viewer');
    return [
      await make(owner, { name: 'x', role: 'viewer' }),
      await make(owner, { name: 'y', role: 'viewer' }),
    ];
  };
  const statuses = (tokens: readonly string[]) =>
    Promise.all(tokens.map((token) => statusOf(token, '/api/events')));

  test('the own', async ({ open }) => {
    const tokens = await twoTokensOf('own');
    const { page } = await open(site().origin('embedded front'), {});
    await page.goto('/postern/account');
    await logInBy(page, 'own', goodPassword);
    await page.getByText('y', { exact: true }).waitFor();
    const box = page.getByRole('checkbox', { name: 'End my API tokens too' });
    const change = async (old: string, wanted: string, ends: boolean) => {
      await page.getByLabel('Old password').fill(old);
      await page.getByLabel('New password').fill(wanted);
      await page.getByLabel('Repeat the password').fill(wanted);
      // It asks again each time.
      await expect.poll(() => box.isChecked()).toBe(false);
      if (ends) await box.check();
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change(goodPassword, `${goodPassword}2`, false);
    await page.getByRole('status').getByText('You’re signed out everywhere else.').waitFor();
    await expect.poll(() => page.getByText('API tokens have ended').count()).toBe(0);
    expect(await statuses(tokens)).toEqual([200, 200]);
    await change(`${goodPassword}2`, `${goodPassword}3`, true);
    await page.getByRole('status').getByText('2 API tokens have ended.').waitFor();
    expect(await statuses(tokens)).toEqual([401, 401]);
    // The list below the form shows it too.
    await page.getByText('No API tokens yet.').waitFor();
    await expect.poll(() => box.isChecked()).toBe(false);
  });

  test("another's, by an admin", async ({ open }) => {
    const name = 'by.admin';
    const tokens = await twoTokensOf(name);
    const { page } = await open(ways[0], { as: 'admin' });
    await page.goto('/postern/people');
    for (const [keep, said, status] of [
      [true, '', 200],
      [false, ' 2 API tokens have ended.', 401],
    ] as const) {
      await choose(page, name, `Change password of ${name}`);
      const dialog = page.getByRole('dialog', { name: `Password of ${name}` });
      await dialog.getByLabel('New password').fill(`${goodPassword}${status}`);
      await dialog.getByLabel('Repeat the password').fill(`${goodPassword}${status}`);
      const box = dialog.getByRole('checkbox', { name: `End the API tokens of ${name} too` });
      await expect.poll(() => box.isChecked()).toBe(false);
      if (!keep) await box.check();
      await dialog.getByRole('button', { name: 'Change password' }).click();
      await dialog.waitFor({ state: 'detached' });
      const words = `The password of ${name} is changed.${said}`;
      await page.getByRole('status').getByText(words, { exact: true }).waitFor();
      expect(await statuses(tokens)).toEqual([status, status]);
    }
  });
});
