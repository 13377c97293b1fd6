import { expect } from 'vitest';
import { startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();
const tab = startTab(() => ways[1], { as: 'admin' });

test('“why not this camera” takes two presses and a choice, and the answer comes first', async () => {
  const { page } = tab();
  await page.goto('/postern/');
  await page.locator('header summary').click();
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
    new Set(['/postern/settings/users', '/postern/settings/why']),
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
  await site().addUser('bert', 'family');
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
