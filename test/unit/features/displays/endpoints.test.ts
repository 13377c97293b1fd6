import { expect, test } from 'vitest';
import type { Settings } from '../../../../src/access/settings/settings.ts';
import { approveDisplay, changeDisplay, listDisplays } from '../../../../src/features/displays/endpoints.ts';
import { permissionBy, type Permit, type Reading } from '../../../../src/store/permit.ts';
import { rolesOf } from '../../../support/roles.ts';
import { settings as proxySettings } from '../../api/api-dependencies.ts';
import { askEndpoint, sessionSettings } from '../../api/ask-endpoint.ts';

test.each<[role: string, query: string, whose: string | undefined]>([
  ['viewer', '', 'olaf'],
  ['viewer', '?own', 'olaf'],
  ['admin', '', undefined],
  ['admin', '?own', 'olaf'],
])('the list of %s%s has the displays of %s', async (role, query, whose) => {
  const listed: unknown[] = [];
  const list = async (owner: string | undefined) => {
    listed.push(owner);
    return [];
  };
  const services = { displays: { list }, apiTokenUses: { list: async () => new Map() } };
  const { ask } = askEndpoint({ endpoint: listDisplays, services, role });
  expect((await ask(`/postern/api/displays${query}`)).status).toBe(200);
  expect(listed).toEqual([whose]);
});

test.each<[role: string, status: number]>([
  ['viewer', 404],
  ['admin', 200],
])('without accounts, %s gets the list: %i', async (role, status) => {
  const services = {
    settings: proxySettings,
    displays: { list: async () => [] },
    apiTokenUses: { list: async () => new Map() },
  };
  const { ask } = askEndpoint({ endpoint: listDisplays, services, role, source: 'proxy' });
  expect((await ask('/postern/api/displays')).status).toBe(status);
});

const settingsWith = (...cameras: readonly string[]): Settings => ({
  ...sessionSettings,
  rules: { ...sessionSettings.rules, roles: rolesOf([['family', cameras]]) },
});

// The session is as new as the system's clock; to the second, as times of displays are.
const now = Math.floor(Date.now() / 1000) * 1000;

/** Olaf approves a screen, or changes it. @param meanwhile settings at the moment at which it is written */
async function giveDisplay(
  what: 'approve' | 'change',
  role: string,
  { forSeconds, ...body }: { readonly forSeconds?: number; readonly cameras?: readonly string[] },
  meanwhile = settingsWith('front'),
) {
  const done: Array<string | undefined> = [];
  const display = {
    id: 'd',
    name: 'Hall',
    owner: 'olaf',
    cameras: undefined,
    may: new Set(['live']),
    createdAt: 0,
  };
  const displays = {
    find: async () => display,
    approve: async (_: string, wanted: { readonly role: string }, permit: Permit) => {
      await permit({} as Reading);
      done.push(`approved as ${wanted.role}`);
      return display;
    },
    change: async (_: string, __: object, permit: Permit) => {
      await permit({} as Reading);
      done.push('changed');
      return display;
    },
  };
  const services = {
    settings: settingsWith('front'),
    displays,
    users: { find: async () => ({ username: 'olaf', role }) },
    changeLimit: { take: async () => void done.push('counted') },
    codeLimit: { reserve: async () => ({ giveBack: async () => undefined }) },
    pairingCodes: { find: async () => ({ deviceHash: 'h', address: '192.0.2.7' }) },
    apiTokenUses: { list: async () => new Map() },
    clock: { now: () => now },
  };
  const permit = async () => ({ settings: meanwhile, ...permissionBy(() => undefined) });
  const { status } =
    what === 'approve'
      ? await askEndpoint({ endpoint: approveDisplay, services, role, permit }).ask('/postern/api/displays', {
          user_code: 'BCDF-GHJK',
          name: 'Hall',
          ...(forSeconds !== undefined && { until: now / 1000 + forSeconds }),
          ...body,
        })
      : await askEndpoint({ endpoint: changeDisplay, services, role, permit }).ask(
          '/postern/api/displays/d',
          body,
        );
  return [status, ...done];
}

test.each<[by: string, body: Parameters<typeof giveDisplay>[2], answer: ReadonlyArray<number | string>]>([
  ['family', {}, [201, 'counted', 'approved as family']],
  ['viewer', {}, [201, 'counted', 'approved as viewer']],
  ['admin', {}, [201, 'counted', 'approved as viewer']],
  ['family', { cameras: ['front'] }, [201, 'counted', 'approved as family']],
  ['family', { cameras: ['garage'] }, [422]],
  ['viewer', { cameras: ['garage'] }, [201, 'counted', 'approved as viewer']],
  ['viewer', { cameras: ['elsewhere'] }, [422]],
  ['viewer', { forSeconds: 1 }, [201, 'counted', 'approved as viewer']],
  ['viewer', { forSeconds: 0 }, [422]],
])('%s approves a screen with %j: %j', async (by, body, answer) => {
  expect(await giveDisplay('approve', by, body)).toEqual(answer);
});

test.each<[what: 'approve' | 'change', answer: ReadonlyArray<number | string>]>([
  ['approve', [422, 'counted']],
  ['change', [422]],
])('no display gets a camera that its user loses meanwhile: %s', async (what, answer) => {
  expect(await giveDisplay(what, 'family', { cameras: ['front'] }, settingsWith('garage'))).toEqual(answer);
});
