import { expect, test } from 'vitest';
import { readWall } from '../../../../src/features/displays/wall.ts';
import type { Capability } from '../../../../src/policy/capability.ts';
import type { Grant } from '../../../../src/policy/grant.ts';
import { rolesOf } from '../../../support/roles.ts';
import { askEndpoint, sessionSettings } from '../../api/ask-endpoint.ts';

interface Facts {
  readonly grant?: Grant;
  readonly may?: readonly Capability[];
  readonly isOpen?: boolean;
}

/** A user watches. */
async function watch({ grant = new Set(['front']), may = ['live', 'history'], isOpen = true }: Facts) {
  const roles = rolesOf([['family', ['front']]], { family: { until: '2026-01-01' } });
  const settings = {
    ...sessionSettings,
    rules: { ...sessionSettings.rules, roles, stateOf: () => ({ isOpen, until: Infinity }) },
  };
  const { ask } = askEndpoint({
    endpoint: readWall,
    role: 'family',
    access: { grant, may: new Set(may) },
    services: { settings, servesSample: false },
  });
  const { body } = await ask('/postern/api/wall', {});
  const { cameras, ...rest } = JSON.parse(body) as { cameras: ReadonlyArray<{ name: string }> };
  return { ...rest, cameras: cameras.map(({ name }) => name) };
}

const open = { name: null, is_open: true, opens_at: null };

test.each<[what: string, facts: Facts, shown: object]>([
  ['the cameras of the role', {}, { ...open, cameras: ['front'], may: ['live', 'history'] }],
  ['all cameras', { grant: 'all', may: ['live'] }, { ...open, cameras: ['front', 'garage'], may: ['live'] }],
  ['no camera without live pictures', { may: ['history'] }, { ...open, cameras: [], may: ['history'] }],
  ['no camera outside of the schedule', { isOpen: false }, { cameras: [], is_open: false, opens_at: null }],
])('a wall shows %s', async (_, facts, shown) => {
  expect(await watch(facts)).toMatchObject(shown);
});
