import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Keeping } from '../../../../src/store/backup/merge.ts';
import { stageAccounts } from '../../../../src/store/backup/restore.ts';
import { fates, fatesOfTables } from '../../../../src/store/fates.ts';
import { openStore } from '../../../../src/store/sqlite/open-store.ts';
import { temporaryDirectory } from '../temporary-store.ts';

const nothing: Keeping = { keepSessions: false, keepTokens: false, keepShares: false };

const user = (name: string, role = 'viewer', more = '') => `
  INSERT INTO users (username, user_id, password_hash, role, session_generation, sessions_not_before, created_at)
    VALUES ('${name}', 'id of ${name}', 'hash of ${name}', '${role}', 'then', 0, 100);${more}`;
const token = (id: string, owner: string, more: Record<string, unknown> = {}) => {
  const row = {
    token_id: id,
    kind: 'token',
    token_hash: id,
    name: id,
    username: owner,
    role: 'viewer',
    created_at: 1,
    ...more,
  };
  return `INSERT INTO api_tokens (${Object.keys(row).join()}) VALUES (${Object.values(row)
    .map((value) => `'${String(value)}'`)
    .join()});`;
};
const share = (id: string, account: string) => `
  INSERT INTO shares (share_id, secret_hash, kind, camera, starts_at, ends_at, label, username, role, source, account, created_at, expires_at)
    VALUES ('${id}', 's', 'camera', 'garage', 0, 0, '${id}', '${account}', 'viewer', 'session', '${account}', 1, 99);`;
const invitation = (id: string) =>
  `INSERT INTO invitations VALUES ('${id}', 's', '${id}', 'viewer', 0, 'admin', 1, 99);`;
const everyone = [user('admin', 'admin'), user('vera'), user('olaf')].join('');

interface Site {
  /** Changes what is here, after the backup. */
  readonly since: (sql: string) => void;
  readonly restore: (keep?: Partial<Keeping>) => Promise<readonly string[]>;
  /** The file before the restore. */
  readonly here: () => Buffer;
  /** Rows after the restore. */
  readonly rows: (sql: string) => readonly string[];
}

async function siteWith(sql: string): Promise<Site> {
  const directory = temporaryDirectory();
  const [here, staging] = [join(directory, 'postern.db'), join(directory, 'staging')];
  const store = await openStore(here, 1_000);
  await store.destroy();
  const run = (path: string, text: string) => {
    const file = new DatabaseSync(path);
    file.exec(text);
    file.close();
  };
  run(here, sql);
  mkdirSync(staging);
  cpSync(here, join(staging, 'postern.db'));
  return {
    since: (text) => run(here, text),
    here: () => readFileSync(here),
    restore: async (keep = {}) =>
      (await stageAccounts(staging, here, { ...nothing, ...keep }, 5_000_000)).lines,
    rows: (text) => {
      const file = new DatabaseSync(join(staging, 'postern.db'));
      const found = file
        .prepare(text)
        .all()
        .map((row) => Object.values(row).join(' '));
      file.close();
      return found;
    },
  };
}

test('who invited someone goes with the ids that people have here', async () => {
  const site = await siteWith(
    `${everyone} UPDATE users SET invited_by = 'id of admin' WHERE username = 'vera';`,
  );
  // A backup of an earlier schema gets its ids at the restore.
  site.since("UPDATE users SET user_id = 'own ' || user_id, invited_by = 'own ' || invited_by");
  await site.restore();
  expect(
    site.rows(
      "SELECT u.username, coalesce(i.username, '-') AS inviter FROM users u LEFT JOIN users i ON i.user_id = u.invited_by ORDER BY 1",
    ),
  ).toEqual(['admin -', 'olaf -', 'vera admin']);
});

test('every table that can be restored is in the list, and every column that it names', async () => {
  const { rows } = await siteWith('');
  for (const table of rows(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('schema_version')",
  ))
    expect(Object.keys(fates)).toContain(table);
  for (const [table, { user: column, restore, pruning }] of fatesOfTables) {
    const columns = rows(`SELECT name FROM pragma_table_info('${table}')`);
    if (columns.length === 0) continue;
    const named = [
      column,
      typeof restore === 'object' && restore.key,
      typeof pruning === 'object' && pruning.by,
    ];
    for (const one of named) if (typeof one === 'string') expect(columns, table).toContain(one);
    // Every name of an account that refers to a user is known to the list.
    const references = rows(`SELECT "from" FROM pragma_foreign_key_list('${table}') WHERE "table" = 'users'`);
    for (const reference of references) expect(reference, table).toBe(column);
  }
});

test('what ended since the backup stays ended, and the summary says so', async () => {
  const { since, restore, rows } = await siteWith(
    everyone +
      token('t1', 'vera') +
      token('lost', 'vera') +
      share('s1', 'vera') +
      share('ended', 'vera') +
      token('kitchen', 'vera', { kind: 'display' }) +
      token('stolen', 'vera', { kind: 'display' }) +
      invitation('open') +
      invitation('used') +
      `INSERT INTO recovery_codes VALUES ('c1', 'vera'), ('used', 'vera');
       INSERT INTO passkeys VALUES ('lost', 'vera', 'phone', 'key', 0, '[]', 'h', 1, NULL);
       INSERT INTO used_once VALUES ('oidc state', 'early', 50);`,
  );
  since(`DELETE FROM api_tokens WHERE token_id IN ('lost', 'stolen'); DELETE FROM shares WHERE share_id = 'ended';
    DELETE FROM invitations WHERE invitation_id = 'used'; DELETE FROM recovery_codes WHERE code_hash = 'used';
    DELETE FROM passkeys; DELETE FROM users WHERE username = 'olaf';
    UPDATE users SET blocked = 'admin', password_hash = 'later' WHERE username = 'vera';
    UPDATE api_tokens SET cameras = '["garage"]' WHERE token_id = 't1';
    INSERT INTO one_time_codes VALUES ('vera', 'sealed', 7, 60);
    INSERT INTO used_once VALUES ('oidc state', 'late', 50);
    INSERT INTO stops VALUES ('stop', 'account', 'vera', NULL, NULL, 'admin', 1, 99, 'id of vera');`);
  expect(await restore()).toEqual([
    'olaf was removed since the backup and comes back blocked: postern users unblock olaf',
    'vera stays blocked',
    'vera keeps the present password',
    'vera keeps the present passkeys',
    'vera keeps the present one-time codes',
    'vera keeps the present recovery codes',
    'the API token "lost" of vera stays ended (--keep-tokens keeps it)',
    'the screen "stolen" of vera stays ended (--keep-tokens keeps it)',
    'the share "ended" of vera stays ended (--keep-shares keeps it)',
    'the invitation of used by admin stays ended',
  ]);
  expect(rows('SELECT username, blocked, password_hash FROM users ORDER BY 1')).toEqual([
    'admin  hash of admin',
    'olaf admin hash of olaf',
    'vera admin later',
  ]);
  expect(rows('SELECT token_id, cameras FROM api_tokens ORDER BY 1')).toEqual(['kitchen ', 't1 ["garage"]']);
  expect(rows('SELECT share_id FROM shares')).toEqual(['s1']);
  expect(rows('SELECT invitation_id FROM invitations')).toEqual(['open']);
  expect(rows('SELECT code_hash FROM recovery_codes')).toEqual(['c1']);
  expect(rows('SELECT credential_id FROM passkeys')).toEqual([]);
  expect(rows('SELECT last_step FROM one_time_codes')).toEqual(['7']);
  expect(rows('SELECT key FROM used_once ORDER BY 1')).toEqual(['early', 'late']);
  expect(rows('SELECT stop_id FROM stops')).toEqual(['stop']);
  expect(
    rows("SELECT count(*) FROM users WHERE session_generation = 'then' OR sessions_not_before < 5000"),
  ).toEqual(['0']);
});

test('what a person was added since the backup goes with them', async () => {
  const { since, restore, rows } = await siteWith(everyone);
  since(user('nina') + token('n', 'nina') + share('n', 'nina') + token('v', 'vera'));
  expect(await restore()).toEqual([
    'nina will be deleted: this user was added after the backup',
    'the API token "v" of vera will be deleted: it was made after the backup',
  ]);
  expect(
    rows(
      'SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM api_tokens), (SELECT count(*) FROM shares)',
    ),
  ).toEqual(['3 0 0']);
});

test('a screen that rotated since keeps its present credential, and the higher one if the backup is later', async () => {
  const screen = (id: string, generation: number) => token(id, 'vera', { kind: 'display', generation });
  const { since, restore, rows } = await siteWith(
    everyone +
      screen('rotated', 100) +
      screen('later in the backup', 300) +
      "INSERT INTO former_credentials VALUES ('first', 'rotated', 50, NULL);",
  );
  since(`UPDATE api_tokens SET generation = 200;
    UPDATE api_tokens SET token_hash = 'second' WHERE token_id = 'rotated';
    UPDATE api_tokens SET token_hash = 'earlier' WHERE token_id = 'later in the backup';
    INSERT INTO former_credentials VALUES ('rotated', 'rotated', 200, NULL);`);
  expect(await restore()).toEqual([]);
  expect(rows('SELECT token_id, token_hash FROM api_tokens ORDER BY 1')).toEqual([
    'later in the backup later in the backup',
    'rotated second',
  ]);
  expect(rows('SELECT credential_hash FROM former_credentials ORDER BY 1')).toEqual(['first', 'rotated']);
});

test('a role that was reduced stays reduced; another one is that of the backup', async () => {
  const { since, restore, rows } = await siteWith(everyone + user('ida', 'guard') + user('second', 'admin'));
  since(`UPDATE users SET role = 'viewer' WHERE username = 'admin'; UPDATE users SET role = 'guard' WHERE username = 'vera';
    UPDATE users SET role = 'admin' WHERE username = 'olaf'; UPDATE users SET role = 'cleaner' WHERE username = 'ida';`);
  expect(await restore()).toEqual([
    'admin stays viewer, and is admin in the backup',
    'vera stays guard, and is viewer in the backup',
    'ida is guard again, and is cleaner now',
    'olaf is viewer again, and is admin now',
  ]);
  expect(rows('SELECT username, role FROM users ORDER BY 1')).toEqual([
    'admin viewer',
    'ida guard',
    'olaf viewer',
    'second admin',
    'vera guard',
  ]);
});

test('access of one person is as it is here, and comes back with someone who was removed', async () => {
  const role = (name: string, cameras: string) =>
    `INSERT INTO personal_roles (role) VALUES ('${name}');
     INSERT INTO custom_roles (name, cameras) VALUES ('${name}', '${cameras}');`;
  const { since, restore, rows } = await siteWith(
    everyone +
      user('nell', 'guest_nell') +
      role('guest_nell', '["front","garage"]') +
      user('gone', 'guest_gone') +
      role('guest_gone', '["yard"]'),
  );
  since(`UPDATE custom_roles SET cameras = '["front"]' WHERE name = 'guest_nell';
    DELETE FROM users WHERE username = 'gone'; DELETE FROM custom_roles WHERE name = 'guest_gone';
    DELETE FROM personal_roles WHERE role = 'guest_gone';
    UPDATE users SET role = 'guest_vera' WHERE username = 'vera'; ${role('guest_vera', '["shed"]')}`);
  await restore();
  expect(
    rows('SELECT username, role, cameras FROM users JOIN custom_roles ON name = role ORDER BY 1'),
  ).toEqual(['gone guest_gone ["yard"]', 'nell guest_nell ["front"]', 'vera guest_vera ["shed"]']);
  expect(rows('SELECT role FROM personal_roles ORDER BY 1')).toEqual([
    'guest_gone',
    'guest_nell',
    'guest_vera',
  ]);
});

test('says when no admin could sign in', async () => {
  const { since, restore } = await siteWith(everyone);
  since("UPDATE users SET role = 'viewer' WHERE username = 'admin'");
  expect(await restore()).toContain('no admin can sign in: let one in with postern users unblock');
});

test('a person whose name changed is the same, and one of the same name is not', async () => {
  const federated = `UPDATE users SET issuer = 'https://id', subject = username WHERE username IN ('vera', 'olaf');`;
  const { since, restore, rows } = await siteWith(everyone + federated + share('s', 'vera'));
  since(
    `PRAGMA foreign_keys = OFF;
    UPDATE users SET username = 'x' WHERE username = 'vera'; UPDATE users SET username = 'vera' WHERE username = 'olaf';
    UPDATE users SET username = 'olaf', blocked = 'provider' WHERE username = 'x';
    UPDATE shares SET username = 'olaf', account = 'olaf';
    DELETE FROM users WHERE username = 'admin';` +
      user('admin', 'viewer').replaceAll('id of admin', 'other').replace('100)', '900)'),
  );
  expect(await restore()).toEqual([
    'admin was removed since the backup and comes back blocked: postern users unblock admin',
    'admin will be deleted: this user was added after the backup',
    'vera is called olaf again',
    'olaf is called vera again',
    'vera stays blocked',
    'no admin can sign in: let one in with postern users unblock',
  ]);
  expect(rows('SELECT username, role, blocked FROM users ORDER BY 1')).toEqual([
    'admin admin admin',
    'olaf viewer ',
    'vera viewer provider',
  ]);
  expect(rows('SELECT username, account FROM shares')).toEqual(['vera vera']);
});

test('where another gate began, everyone comes back, and what may have ended does not', async () => {
  const site =
    everyone +
    token('t', 'vera') +
    share('s', 'vera') +
    invitation('i') +
    "INSERT INTO recovery_codes VALUES ('c', 'vera');";
  const fresh =
    'DELETE FROM users;' + user('admin', 'admin').replace('id of admin', 'other').replace('100)', '900)');
  const { since, restore, rows } = await siteWith(site);
  since(fresh);
  expect(await restore()).toEqual([
    'the API token "t" of vera is left out, because it may have ended since (--keep-tokens keeps it)',
    'the share "s" of vera is left out, because it may have ended since (--keep-shares keeps it)',
    'the invitation of i by admin is left out, because it may have ended since',
  ]);
  expect(rows('SELECT username, blocked FROM users ORDER BY 1')).toEqual(['admin ', 'olaf ', 'vera ']);
  expect(rows('SELECT code_hash FROM recovery_codes')).toEqual(['c']);
  const kept = await siteWith(site);
  kept.since(fresh);
  await kept.restore({ keepTokens: true, keepShares: true });
  expect(kept.rows('SELECT token_id FROM api_tokens UNION ALL SELECT share_id FROM shares')).toEqual([
    't',
    's',
  ]);
});

test('accounts of a later program that cannot be compared count as unknown', async () => {
  const { since, restore, rows } = await siteWith(everyone + token('t', 'vera'));
  since('UPDATE schema_version SET version = 99; ALTER TABLE users RENAME COLUMN created_at TO made_at;');
  expect(await restore()).toEqual([expect.stringContaining('may have ended since')]);
  expect(rows('SELECT count(*) FROM users')).toEqual(['3']);
});

test('what is here is only read', async () => {
  const { since, restore, here } = await siteWith(everyone);
  since(user('nina') + "UPDATE users SET role = 'guard' WHERE username = 'vera'");
  const before = here();
  await restore();
  expect(here()).toEqual(before);
});
