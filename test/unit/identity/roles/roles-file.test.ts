import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareRoleResolution, resolveRole } from '../../../../src/policy/role-map.ts';
import { parse } from 'yaml';
import { createRolesFile, type RolesFile } from '../../../../src/identity/roles/roles-file.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';
import { assertCases } from '../../../support/assert-cases.ts';

interface Place {
  readonly path: string;
  readonly roles: RolesFile;
  readonly read: () => string;
  /** Texts that were checked, then written. */
  readonly events: string[];
}

function place(text?: string, check: (text: string) => void = () => {}): Place {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  if (text !== undefined) writeFileSync(path, text);
  const events: string[] = [];
  const roles = createRolesFile(directory, (changed) => {
    check(changed);
    events.push('checked');
    return () => events.push(readFileSync(path, 'utf8') === changed ? 'written' : 'not written');
  });
  return { path, roles, events, read: () => readFileSync(path, 'utf8') };
}

const house = `# our house
mqtt: { host: broker } # the recorder's
auth:
  roles:
    # the workshop
    operator: [garage, "drive way"] # Olaf
    porch: [front_door]

  session_length: 3600
proxy:
  role_map:
    porch: [group_porch]
    operator: [group_operator]
  header_map: { role_map: { porch: [g] } }
`;

const changedHouse = `# our house
mqtt: {host: broker} # the recorder's
auth:
  roles:
    # the workshop
    operator: [shed] # Olaf
    garden: [back_yard, front_door]

  session_length: 3600
proxy:
  role_map:
    operator: [group_operator]
  header_map: {role_map: {none: []}}
`;

test('adds, changes and removes a role; the rest and its comments stay', () => {
  const { roles, read, events } = place(house);
  roles.set('garden', ['back_yard', 'front_door']);
  roles.set('operator', ['shed']);
  roles.remove('porch');
  expect(read()).toBe(changedHouse);
  expect(events).toEqual(['checked', 'written', 'checked', 'written', 'checked', 'written']);
});

test('removing the last role leaves a role map that grants nothing: without one, groups would be roles', () => {
  const { roles, read } = place('proxy:\n  role_map:\n    porch: [group_porch]\n');
  roles.remove('porch');
  const { role_map: left } = (parse(read()) as { proxy: { role_map: object } }).proxy;
  expect(left).toEqual({ none: [] });
  const roleMap = new Map(Object.entries(left).map(([name, groups]) => [name, new Set<string>(groups)]));
  const rules = { separator: ',', roleMap, defaultRole: undefined, customRoles: new Map() };
  expect(resolveRole('admin', prepareRoleResolution(rules))).toBeUndefined();
  expect(resolveRole('admin', prepareRoleResolution({ ...rules, roleMap: undefined }))).toBe('admin');
});

test.each<[what: string, text: string | undefined]>([
  ['no file', undefined],
  ['an empty file', ''],
  ['only a comment', '# nothing yet\n'],
  ['no section', 'cameras: [front]\n'],
  ['no roles', 'auth:\n  enabled: true\n'],
  ['an empty section', 'auth:\ncameras: [front]\n'],
  ['empty roles', 'auth:\n  roles:\n'],
  ['roles that are null', 'auth:\n  roles: null\n'],
  ['empty roles in braces', 'auth: {roles: {}}\n'],
])('the first role, with %s', (_, text) => {
  const { roles, read } = place(text);
  roles.set('family', ['front']);
  const before = (parse(text ?? '') ?? {}) as { auth?: object };
  expect(parse(read())).toEqual({ ...before, auth: { ...before.auth, roles: { family: ['front'] } } });
  roles.remove('family');
  expect(parse(read())).toEqual({ ...before, auth: { ...before.auth, roles: {} } });
});

test.each(['1', '7.5', '1e3', 'true', 'null', '0x10', 'no', '.', '...', '__proto__', 'constructor'])(
  'the role %s, that YAML may read as something else, is one like any other',
  (role) => {
    for (const written of [role, JSON.stringify(role)]) {
      const { roles, read } = place(`auth:\n  roles:\n    ${written}: [front]\n    other: []\n`);
      // A name that YAML parses as another one is not this role.
      if (!Object.hasOwn((parse(read()) as { auth: { roles: object } }).auth.roles, role)) continue;
      roles.set(role, ['garage']);
      expect((read().match(/\[.*\]/g) ?? []).toSorted()).toEqual(['[]', '[garage]']);
      roles.remove(role);
      expect(parse(read())).toEqual({ auth: { roles: { other: [] } } });
    }
  },
);

test('writes, changes and removes a schedule; undefined leaves it', () => {
  const { roles, read } = place('auth:\n  roles:\n    porch: [front_door]\n');
  roles.set('porch', ['front_door'], { from: '2026-12-20', until: '2027-01-05', hours: '07:00-19:00' });
  const written = {
    roles: { porch: ['front_door'] },
    role_windows: { porch: { from: '2026-12-20', until: '2027-01-05', hours: '07:00-19:00' } },
  };
  expect(parse(read())).toEqual({ auth: written });
  roles.set('porch', []);
  expect(parse(read())).toEqual({ auth: { ...written, roles: { porch: [] } } });
  roles.set('porch', [], { hours: '22:00-06:00' });
  expect(parse(read())).toEqual({
    auth: { roles: { porch: [] }, role_windows: { porch: { hours: '22:00-06:00' } } },
  });
  roles.set('porch', [], null);
  expect(parse(read())).toEqual({ auth: { roles: { porch: [] }, role_windows: {} } });
});

test('removes the schedule together with its role', () => {
  const { roles, read } = place(
    'auth:\n  roles: {family: [], porch: []}\n  role_windows: {porch: {hours: "07:00-19:00"}}\n',
  );
  roles.remove('porch');
  expect(parse(read())).toEqual({ auth: { roles: { family: [] }, role_windows: {} } });
});

test('reads back camera names of any kind unchanged', () => {
  const { roles, read } = place(house);
  assertCases(
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), (cameras) => {
      roles.set('family', cameras);
      const { auth } = parse(read()) as { auth: { roles: Record<string, unknown>; session_length: number } };
      expect([auth.roles['family'], auth.session_length]).toEqual([cameras, 3_600]);
    }),
    { numRuns: 60 },
  );
});

test.each<[what: string, text: string]>([
  ['its cameras', 'auth:\n  roles:\n    family: &outside [front, yard]\n    guests: *outside\n'],
  [
    'one of them',
    'auth:\n  roles:\n    family: [&first front, &second yard]\n    guests: [*first, *second]\n',
  ],
])('a role is changed, and removed, of which another one has %s by an alias', (_, text) => {
  const guests = { guests: ['front', 'yard'] };
  const changed = place(text);
  changed.roles.set('family', ['back']);
  expect(parse(changed.read())).toEqual({ auth: { roles: { family: ['back'], ...guests } } });
  const removed = place(text);
  removed.roles.remove('family');
  expect(parse(removed.read())).toEqual({ auth: { roles: guests } });
});

test('keeps roles behind an alias', () => {
  const text = 'shared: &roles {porch: [front], yard: [back]}\nauth:\n  roles: *roles\n';
  const rolesOf = (changed: string) => (parse(changed) as { auth: { roles: object } }).auth.roles;
  for (const [change, expected] of [
    [
      (roles: RolesFile) => roles.set('garden', ['shed']),
      { porch: ['front'], yard: ['back'], garden: ['shed'] },
    ],
    [(roles: RolesFile) => roles.remove('porch'), { yard: ['back'] }],
  ] as const) {
    const { roles, read } = place(text);
    change(roles);
    expect(rolesOf(read())).toEqual(expected);
  }
});

describe('a failed change leaves the file alone:', () => {
  test('an invalid configuration', () => {
    const { roles, read, path, events } = place(house, (text) => {
      if (!text.includes('porch: [front_door]')) throw new Error('no porch');
    });
    expect(() => roles.remove('porch')).toThrow('no porch');
    expect([read(), events]).toEqual([house, []]);
    expect(readdirSync(join(path, '..'))).toEqual(['config.yml']);
  });

  const readOnly = { code: 'configuration_read_only' };

  test('a directory in the way of the new file', () => {
    const { roles, read, path, events } = place(house);
    mkdirSync(`${path}.new`);
    expect(() => roles.set('garden', [])).toThrow(expect.objectContaining(readOnly));
    expect([read(), events]).toEqual([house, ['checked']]);
  });

  test('a directory in place of config.yml', () => {
    const { roles, path } = place();
    mkdirSync(path);
    expect(() => roles.set('garden', [])).toThrow(expect.objectContaining(readOnly));
    expect(readdirSync(join(path, '..'))).toEqual(['config.yml']);
  });

  test('no configuration directory', () => {
    const roles = createRolesFile(join(temporaryDirectory(), 'missing'), () => () => {});
    expect(() => roles.set('garden', [])).toThrow(expect.objectContaining(readOnly));
  });
});

test.each([
  ['600', false],
  ['640', false],
  ['644', false],
  ['660', false],
  ['600', true],
])('the mode %s of the file stays; a new file that a crash left: %j', (octal, isLeft) => {
  const { roles, path } = place(house);
  const mode = Number.parseInt(octal, 8);
  chmodSync(path, mode);
  if (isLeft) writeFileSync(`${path}.new`, 'half', { mode: 0o644 });
  roles.set('garden', []);
  expect(statSync(path).mode & 0o777).toBe(mode);
});

test('a linked config.yml stays a link', () => {
  const { roles, path } = place();
  const real = join(temporaryDirectory(), 'shared.yml');
  writeFileSync(real, house);
  symlinkSync(real, path);
  roles.set('garden', ['back_yard']);
  expect(readFileSync(real, 'utf8')).toContain('garden: [back_yard]');
});
