import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { printedPassword, visitor } from '../log-in.ts';
import { projectRoot, startGateway } from '../start-gateway.ts';

/**
 * Run in a checkout of an earlier release, with the directory of the fixtures as argument: makes `v<n>.sql` and `v<n>.json`
 * with that release's own code. README.md says how.
 */
const target = process.argv[2] ?? '.';
const directory = mkdtempSync(join(tmpdir(), 'postern-earlier-'));
const secret = 'the secret of a store that an earlier release has made, for tests only';
const passwords = { vera: 'vera-watches-birds', olaf: 'olaf-opens-garage', lena: 'lena-left-early-1' };
const changedPassword = 'lena-came-back-12';
const gateway = await startGateway({
  directory,
  config: { auth: { roles: { operator: ['garage'] } } },
  environment: { SERVICE_JWT_SECRET: secret },
});
const command = (args: readonly string[], input: string) =>
  execFileSync(process.execPath, [join(projectRoot, 'src', 'cli', 'postern.ts'), ...args], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
    input,
  });
const logIn = async (user: string, password: string) => {
  const client = visitor(gateway.addresses.authenticated ?? '');
  const { status } = await client.logIn(user, password);
  if (status !== 200) throw new Error(`login of ${user}: ${status}`);
  return client;
};
for (const [user, password] of Object.entries(passwords)) {
  command(['users', 'add', user, '--role', user === 'olaf' ? 'operator' : 'viewer'], `${password}\n`);
}
const tokens: Record<string, string | undefined> = {};
const keep = async (name: string, user: keyof typeof passwords) => {
  const client = await logIn(user, passwords[user]);
  tokens[name] = client.token;
  return client;
};
await keep('vera', 'vera');
await keep('olaf', 'olaf');
await keep('before lena had another password', 'lena');
command(['users', 'set-password', 'lena'], `${changedPassword}\n`);
passwords.lena = changedPassword;
await keep('lena', 'lena');
const left = await keep('logged out', 'vera');
await left.send('POST', '/api/logout');
const at = new Date().toISOString();
const generatedPassword = printedPassword(gateway);
await gateway.close();

const literal = (value: string | number | null) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : (value ?? 'NULL');
const valuesOf = (row: object) =>
  (Object.values(row) as Array<string | number | null>).map(literal).join(', ');

/** @returns the schema version of a database, and the statements that make it */
function statementsOf(name: string) {
  const file = new DatabaseSync(join(directory, name));
  const rows = (sql: string) => file.prepare(sql).all();
  const { version } = rows('SELECT version FROM schema_version')[0] as { version: number };
  const lines: string[] = [];
  const made = rows(
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  );
  for (const { type, name: table, sql } of made) {
    lines.push(`${String(sql)};`);
    if (type !== 'table') continue;
    for (const row of rows(`SELECT * FROM "${String(table)}"`))
      lines.push(`INSERT INTO "${String(table)}" VALUES (${valuesOf(row)});`);
  }
  file.close();
  return { version, statements: `${lines.join('\n')}\n` };
}

const { version, statements } = statementsOf('postern.db');
const activity = statementsOf('activity.db');
rmSync(directory, { recursive: true });
writeFileSync(join(target, `v${version}.sql`), statements);
writeFileSync(join(target, `activity-v${activity.version}.sql`), activity.statements);
writeFileSync(
  join(target, `v${version}.json`),
  `${JSON.stringify({ at, secret, passwords, generatedPassword, tokens }, undefined, 2)}\n`,
);
