import { expect } from 'vitest';
import { accountMenu, pathOf, startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();
const tab = startTab(() => ways[1], { as: 'admin' });

test('“why not this camera” takes two presses and a choice, and the answer comes first', async () => {
  const { page } = tab();
  await page.goto('/postern/');
  await accountMenu(page).click();
  await page.getByRole('link', { name: 'Test access' }).click();
  await page.waitForURL('/postern/settings/why');
  const form = page.getByRole('form', { name: 'Who may do what' });
  await form.getByLabel('Who').selectOption({ label: 'anna' });
  await form.getByLabel('Camera').selectOption({ label: 'Garage' });
  await form.getByRole('button', { name: 'Test' }).click();
  await page.getByRole('heading', { name: 'No. The role family doesn’t include Garage.' }).waitFor();
  await page
    .getByText('It has Driveway and Front door: live, recordings and export. Its only member is anna.')
    .waitFor();
  const add = page.getByRole('link', { name: 'Add Garage to family' });
  await expect.poll(() => add.getAttribute('href')).toBe('/postern/settings/access/family?add=garage');
  await expect
    .poll(() => page.locator('.chain > li').allTextContents())
    .toEqual([
      'Yes: anna can sign inNot blocked.',
      'Yes: family is always open',
      'No: family doesn’t have GarageIts cameras are Driveway and Front door.',
      'Not checked: family can watch liveNot checked: a check above said no.',
    ]);

  await form.getByLabel('Camera').selectOption({ label: 'Driveway' });
  await form.getByRole('button', { name: 'Test' }).click();
  await page.getByRole('heading', { name: 'Yes. anna can watch Driveway live.' }).waitFor();
  await page.getByRole('link', { name: 'View as anna' }).click();
  await page.getByRole('heading', { name: 'What anna can do' }).waitFor();
});

test('what someone sees is shown in a frame, in which nothing can be done', async () => {
  const { page } = tab();
  const changes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') changes.push(`${request.method()} ${request.url()}`);
  });
  await page.goto('/postern/settings/as?user=anna');
  await page.getByText('Home, as anna sees it.').waitFor();
  await page.getByRole('heading', { name: 'What anna can do' }).waitFor();
  const tiles = page.getByRole('list', { name: 'Cameras of anna' }).getByRole('listitem');
  await expect.poll(() => tiles.locator('span[dir]').allTextContents()).toEqual(['Driveway', 'Front door']);
  // Their header is shown, and nothing of it can be pressed.
  await expect.poll(() => page.locator('.view-header[inert] header.site').count()).toBe(1);
  const main = page.locator('.view-as > :not([inert])');
  await expect.poll(() => main.getByRole('button').count()).toBe(0);
  const links = await Promise.all(
    (await main.getByRole('link').all()).map((link) => link.getAttribute('href')),
  );
  expect(new Set(links.map((href) => href?.split('?')[0]))).toEqual(
    new Set(['/postern/people/anna', '/postern/settings/why']),
  );
  const { body } = await site().admin.send('GET', '/postern/api/sessions');
  await page
    .getByRole('row', { name: /Garage/ })
    .getByRole('link')
    .click();
  await page.getByRole('heading', { name: 'No. The role family doesn’t include Garage.' }).waitFor();
  expect(changes.filter((change) => !change.endsWith('/postern/api/explain'))).toEqual([]);
  const { body: after } = await site().admin.send('GET', '/postern/api/sessions');
  const users = (text: string) =>
    (JSON.parse(text) as { sessions: Array<{ user: string }> }).sessions.map(({ user }) => user);
  expect(users(after)).toEqual(users(body));
});

test('a user who is blocked sees nothing, and one who is no admin sees no one else’s', async ({ open }) => {
  await site().addUser('bert', 'viewer');
  await site().admin.send('PUT', '/postern/api/users/bert/blocked', { blocked: true });
  const { page } = tab();
  await page.goto('/postern/settings/as?user=bert');
  await page.getByText('bert can’t come in: blocked').waitFor();
  await expect.poll(() => page.getByRole('list', { name: 'Cameras of bert' }).count()).toBe(0);

  const other = await open(ways[0], { as: 'anna' });
  other.expectInConsole(/403/);
  for (const path of ['/postern/settings/as?user=admin', '/postern/settings/why?user=admin&camera=garage'])
    expect((await other.page.goto(path))?.status()).toBe(403);
});

test('the page of a role shows what it can see, and any request can be tested for it', async () => {
  const { page } = tab();
  await page.goto('/postern/settings/access');
  await page.getByRole('link', { name: 'family', exact: true }).first().click();
  await page.waitForURL('/postern/settings/access/family');
  await expect.poll(() => page.title()).toBe('What can family see? · Postern');
  const tiles = page.getByRole('list', { name: 'Cameras' }).getByRole('listitem');
  await tiles.nth(1).waitFor();
  await expect.poll(() => tiles.getByRole('link').allTextContents()).toEqual(['Front door', 'Driveway']);
  await expect
    .poll(() => page.getByRole('link', { name: '1 user' }).getAttribute('href'))
    .toContain('role=family');

  await page.locator('main').getByRole('link', { name: 'Test access' }).click();
  await page.waitForURL('/postern/settings/why?role=family');
  await page.getByText('Test any request').click();
  const ask = async (typed: string, method = 'GET') => {
    await page.getByLabel('Method').selectOption(method);
    await page.getByLabel('Path or address').fill(typed);
    await page.keyboard.press('Enter');
  };
  const verdict = page.getByRole('status').locator('.verdict');
  await ask('/clips/garage-1793000276.376447-de8gxd.jpg');
  await verdict.getByText('Refused: The role family doesn’t include Garage.').waitFor();
  await ask(`${site().origin('nginx')}/clips/front_door-1793000276.376447-de8gxd.jpg?token=s3cret`);
  await verdict.getByText('Allowed: The role may do this.').waitFor();
  await verdict.getByText('Step by step').click();
  await verdict.getByText('the role is granted front_door, driveway').waitFor();
  await ask('/api/config', 'PUT');
  await verdict.locator('code', { hasText: 'PUT /api/config' }).waitFor();
  await expect.poll(() => verdict.getByRole('paragraph').first().textContent()).toMatch(/^Refused: /);
  await ask('https://elsewhere.example/api/config');
  await page.getByText('https://elsewhere.example is another site').waitFor();
});

test('a refusal in the audit is explained, and leads to where access is given', async () => {
  const { page, expectInConsole } = tab();
  const keen = await site().addUser('keen', 'family');
  const uri = '/clips/garage-1793000276.376447-de8gxd.jpg';
  expect((await keen.send('GET', `${uri}?token=s3cret`)).status).toBe(403);
  await page.goto('/postern/settings/audit?search=KEEN');
  const why = page.getByRole('link', { name: `Why? ${uri}` });
  // It is written a moment after it happened.
  while (!(await why.isVisible())) {
    await page.reload();
    await page.locator('table.audit[aria-busy=false]').waitFor();
  }
  await why.click();
  await page.getByRole('heading', { name: 'Why was this refused?' }).waitFor();
  await page.getByText('The role family doesn’t include Garage.').waitFor();
  await page.getByText('Yes. It would be refused now, too.').waitFor();
  expect(await page.locator('main').textContent()).not.toContain('s3cret');
  const otherRole = page.getByRole('link', { name: 'Give keen another role' });
  expect(await otherRole.getAttribute('href')).toContain('keen');

  // The gate has forgotten the decision: its record is left.
  expectInConsole(/404/);
  await page.route('**/postern/api/explain', async (route) => {
    const isById = (route.request().postData() ?? '').includes('"decision"');
    await (isById ? route.fulfill({ status: 404, json: { code: 'decision_unknown' } }) : route.continue());
  });
  await page.reload();
  await page.getByRole('link', { name: 'Add Garage to family' }).click();
  await page.waitForURL('/postern/settings/access/family?add=garage');
  const cameras = page.getByRole('dialog', { name: 'Edit family' });
  await cameras.getByText('Chosen, and not saved yet: Garage').waitFor();
  const { body } = await site().admin.send('GET', '/postern/api/roles');
  expect(body).not.toContain('garage');
  await page.keyboard.press('Escape');
  await page.waitForURL('/postern/settings/access/family');
  expect(pathOf(page)).toBe('/postern/settings/access/family');
});
