import { spellingsOfNone } from '../support/spellings-of-none.ts';
import { attackConfig, from, type Row } from './row.ts';

const { role_map: _, ...proxy } = attackConfig.proxy;

/** The role header has names of roles, and a user without one is a viewer. */
export const roleNamesConfig = { ...attackConfig, proxy: { ...proxy, default_role: 'viewer' } };

const uri = '/api/garage/latest.jpg';

export const roleNameRows: readonly Row[] = [
  {
    name: 'no role, where the default is viewer',
    request: { uri, headers: from('olaf', '') },
    expect: { user: 'olaf', role: 'viewer' },
  },
  ...spellingsOfNone.flatMap((none): Row[] =>
    [none, ` ${none}\t`, `${none},admin`, `admin,viewer,${none}`, `admin, ${none} ,operator`].map(
      (roles) => ({
        name: `the roles ${JSON.stringify(roles)}`,
        request: { uri, headers: from('olaf', roles) },
        expect: 'refused',
      }),
    ),
  ),
];

/** A default role of each spelling is refused at the start or means no access: one of them, with a map in another. */
export const noDefaultConfig = {
  ...attackConfig,
  proxy: {
    ...proxy,
    default_role: 'None',
    role_map: { operator: ['group_operator'], nONE: ['group_leavers'] },
  },
};

export const noDefaultRows: readonly Row[] = [
  {
    name: 'a group that maps',
    request: { uri, headers: from('olaf', 'group_operator') },
    expect: { user: 'olaf', role: 'operator' },
  },
  ...['', 'group_other', 'none', 'None', 'operator', 'group_leavers', 'group_operator,group_leavers'].map(
    (groups): Row => ({
      name: `the groups ${JSON.stringify(groups)}`,
      request: { uri, headers: from('olaf', groups) },
      expect: 'refused',
    }),
  ),
  {
    name: 'no header of groups',
    request: { uri, headers: from('olaf', '').filter(([name]) => name !== 'Remote-Groups') },
    expect: 'refused',
  },
];
