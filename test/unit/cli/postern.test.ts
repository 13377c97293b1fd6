import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clockAt } from '../../support/clock-at.ts';
import { createPasswordHasher } from '../../../src/accounts/users/password-hash.ts';
import { createUsers } from '../../../src/accounts/users/users.ts';
import { openStore, storePath } from '../../../src/store/sqlite/open-store.ts';
import { startRecorder, type Recorder } from '../../support/start-recorder.ts';
import { postern as posternProcess } from '../../support/postern-command.ts';
import { postern as posternHere } from '../../support/postern-here.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';
import { addPerson } from '../../support/add-person.ts';
import { addShare } from '../../support/share.ts';
import { unconditional } from '../../../src/store/permit.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const sample = join(root, 'test', 'support', 'recorder.db');
const password = 'correct-horse-battery';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
  writeFileSync(join(directory, 'config.yml'), 'auth:\n  roles:\n    operator: [garage]\n');
});

const argumentsOf = (line: string) => (line === '' ? [] : line.split(' '));
const postern = (line: string, input = '', config = directory) =>
  posternHere(config, argumentsOf(line), { input });

async function withUsers<T>(work: (users: ReturnType<typeof createUsers>) => Promise<T>): Promise<T> {
  const store = await openStore(storePath(directory), 5_000);
  try {
    return await work(createUsers(store, clockAt(1_000_000)));
  } finally {
    await store.destroy();
  }
}
const list = () =>
  withUsers(async (users) => (await users.list()).map(({ username, role }) => `${username} ${role}`));
const find = (name: string) => withUsers((users) => users.find(name));
const matches = async (name: string, given: string) =>
  (await createPasswordHasher().verify(given, (await find(name))?.passwordHash)).matches;

test('config schema prints docs/config.schema.json, whatever the configuration', async () => {
  writeFileSync(join(directory, 'config.yml'), 'auth: [');
  const { status, output } = await postern('config schema');
  expect(status).toBe(0);
  expect(output).toBe(readFileSync(join(root, 'docs', 'config.schema.json'), 'utf8'));
});

test.each(['--version', '-V', 'version'])(
  '%s prints the version, whatever the configuration',
  async (word) => {
    writeFileSync(join(directory, 'config.yml'), 'auth: [');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await posternProcess(directory, [word])).toEqual({
      status: 0,
      output: `${version}\n`,
      errors: '',
    });
  },
);

describe('with a boss and olaf', () => {
  beforeEach(() =>
    withUsers(async (users) => {
      await users.add({ username: 'boss', role: 'admin', passwordHash: 'h1' }, unconditional);
      await users.add({ username: 'olaf', role: 'operator', passwordHash: 'h2' }, unconditional);
    }),
  );

  test.each<[line: string, input: string, output: string, users: string[]]>([
    [
      'users list',
      '',
      'boss\tadmin\t-\t-\t-\t-\t-\nolaf\toperator\t-\t-\t-\t-\t-\n',
      ['boss admin', 'olaf operator'],
    ],
    [
      'users list --json',
      '',
      ['boss","role":"admin', 'olaf","role":"operator']
        .map(
          (user) =>
            `{"username":"${user}","provider":null,"provider_label":null,"role_reason":null,"last_login":null,"blocked":null,"second_factors":[]}\n`,
        )
        .join(''),
      ['boss admin', 'olaf operator'],
    ],
    [
      'users add vera',
      `${password}\n`,
      'added vera as viewer\n',
      ['boss admin', 'olaf operator', 'vera viewer'],
    ],
    [
      'users add vera --role operator',
      `${password}\r\nmore`,
      'added vera as operator\n',
      ['boss admin', 'olaf operator', 'vera operator'],
    ],
    [
      'users add vera --role admin',
      password,
      'added vera as admin\n',
      ['boss admin', 'olaf operator', 'vera admin'],
    ],
    ['users set-role olaf viewer', '', 'olaf is viewer now\n', ['boss admin', 'olaf viewer']],
    ['users remove olaf', '', 'removed olaf\n', ['boss admin']],
  ])('%s', async (line, input, output, users) => {
    expect(await postern(line, input)).toEqual({ status: 0, output, errors: '' });
    expect(await list()).toEqual(users);
    if (users.some((user) => user.startsWith('vera'))) expect(await matches('vera', password)).toBe(true);
  });

  test.each(['guest_0123456789ab', 'guest.nell'])(
    'lists name %s, made for one person, guest',
    async (role) => {
      const store = await openStore(storePath(directory), 5_000);
      await store.change(unconditional, async (on) => {
        await on.insertInto('personal_roles').values({ role }).execute();
        await on.insertInto('custom_roles').values({ name: role, cameras: '["garage"]' }).execute();
      });
      await store.destroy();
      await withUsers((users) => users.add({ username: 'nell', role, passwordHash: 'h3' }, unconditional));
      await postern(`tokens add nell script --role ${role}`);
      const { output } = await postern('users list');
      expect(output).toContain('nell\tguest\t');
      const tokens = await postern('tokens list');
      expect(tokens.output).toContain('\tnell\tscript\tguest\t');
      expect(output + tokens.output).not.toMatch(/guest[._]/);
      // Programs need the name.
      expect((await postern('users list --json')).output).toContain(`"nell","role":"${role}"`);
    },
  );

  test('users reset-factors removes passkeys and codes, and ends the sessions', async () => {
    const store = await openStore(storePath(directory), 5_000);
    await store.change(unconditional, (on, { prove }) =>
      on
        .insertInto('one_time_codes')
        .values({ username: 'olaf', secret: prove('sealed'), last_step: 1, created_at: 1 })
        .execute(),
    );
    await store.destroy();
    const before = await find('olaf');
    const { output } = await postern('users reset-factors olaf');
    expect(output).toBe('olaf now signs in with the password alone\n');
    const after = await find('olaf');
    expect([before?.hasSecondFactor, after?.hasSecondFactor]).toEqual([true, false]);
    expect(after?.generation).not.toBe(before?.generation);
  });

  test('users set-password ends the sessions', async () => {
    const before = await find('olaf');
    const answer = await postern('users set-password olaf', `${password}\n`);
    expect(answer).toEqual({ status: 0, output: 'changed the password of olaf\n', errors: '' });
    expect((await find('olaf'))?.generation).not.toBe(before?.generation);
    expect(await matches('olaf', password)).toBe(true);
  });

  const recoveries = [
    ['users set-password olaf', 'changed the password of olaf'],
    ['users reset-factors olaf', 'olaf now signs in with the password alone'],
    ['sessions end --user olaf', 'ended every session of olaf'],
  ] as const;
  const shares = '; shares that ended: 1';
  const tokens = '; API tokens that ended: 2';
  test.each<[line: string, said: string, tokens: number, shares: number]>([
    ...recoveries.flatMap(([line, said]): Array<[string, string, number, number]> => [
      [line, `${said}${shares}${tokens}`, 0, 0],
      [`${line} --keep-api-tokens`, `${said}${shares}`, 2, 0],
      [`${line} --keep-shares`, `${said}${tokens}`, 0, 1],
      [`${line} --keep-shares --keep-api-tokens`, said, 2, 1],
    ]),
    ['users set-password boss', 'changed the password of boss', 2, 1],
  ])('%s: %s', async (line, said, tokensLeft, sharesLeft) => {
    for (const name of ['one', 'two']) await postern(`tokens add olaf ${name}`);
    const store = await openStore(storePath(directory), 5_000);
    await addShare(store, 'olaf');
    await store.destroy();
    expect(await postern(line, `${password}\n`)).toEqual({ status: 0, output: `${said}\n`, errors: '' });
    const listed = async (what: string) => (await postern(`${what} list`)).output.split('\n').slice(0, -1);
    expect([await listed('tokens'), await listed('shares')].map(({ length }) => length)).toEqual([
      tokensLeft,
      sharesLeft,
    ]);
    const { output } = await postern('audit --json');
    const ended = [2 - tokensLeft, 1 - sharesLeft];
    expect(JSON.parse(output.split('\n').at(-2) ?? '')).toMatchObject({
      object: line.includes('boss') ? 'boss' : 'olaf',
      detail: { api_tokens_ended: ended[0], shares_ended: ended[1] },
    });
  });

  test('users block blocks a user until users unblock', async () => {
    const before = await find('olaf');
    for (const line of ['users block olaf', 'users block olaf'])
      expect(await postern(line)).toEqual({ status: 0, output: 'blocked olaf\n', errors: '' });
    expect((await find('olaf'))?.generation).not.toBe(before?.generation);
    expect((await postern('users list')).output).toContain('olaf\toperator\t-\t-\t-\tblocked by admin\t-\n');
    expect(await postern('users unblock olaf')).toEqual({
      status: 0,
      output: 'unblocked olaf\n',
      errors: '',
    });
    expect(await find('olaf')).toMatchObject({ blocked: undefined });
    const events = (await postern('audit --json')).output.split('\n').filter(Boolean);
    expect(events.map((line) => (JSON.parse(line) as { event: string }).event).toSorted()).toEqual([
      'user_blocked',
      'user_unblocked',
    ]);
  });

  test('a federated user: the provider has role and password, and a removal does not block', async () => {
    const store = await openStore(storePath(directory), 5_000);
    await addPerson(store, 'petra', { last_login_at: 1_800_000_000 });
    await store.destroy();
    const line = (await postern('users list')).output.split('\n').find((one) => one.startsWith('petra'));
    expect(line).toMatch(
      /^petra\tviewer\tgroup family\thttps:\/\/id\.example\.org\t2027-01-1\dT[^\t]+\t-\t-$/,
    );
    for (const given of ['users set-role petra admin', 'users set-password petra'])
      expect(await postern(given, password)).toMatchObject({
        status: 1,
        errors: expect.stringContaining('This user signs in with a provider: change it there') as string,
      });
    expect(await postern('users remove petra')).toMatchObject({
      status: 0,
      errors: expect.stringContaining('adds petra again; to keep them out, use users block') as string,
    });
  });

  test.each<[line: string, input: string, said: string]>([
    ['users add vera', 'short\n', 'A password has at least 12 characters'],
    ['users add vera', '', 'no password on standard input'],
    ['users add a/b', password, 'A user name has 1 to 64 letters'],
    ['users add vera --role nobody', password, 'there is no role nobody; there are admin, viewer, operator'],
    ['users add olaf', password, 'A user with this name already exists'],
    ['users set-password nobody', password, 'No such user'],
    ['users set-role olaf nobody', '', 'there is no role nobody'],
    ['users set-role nobody viewer', '', 'No such user'],
    ['users set-role boss viewer', '', 'The last admin must stay an admin'],
    ['users reset-factors nobody', '', 'No such user'],
    ['users remove boss', '', 'The last admin must stay an admin'],
    ['users block boss', '', 'The last admin must stay an admin'],
    ['users block nobody', '', 'No such user'],
    ['users unblock nobody', '', 'No such user'],
    ['users remove nobody', '', 'No such user'],
    ['users import', '', '--from'],
    ['users import --from /nowhere.db', '', 'postern: there is no /nowhere.db\n'],
    ['users import --from /tmp', '', 'postern: /tmp cannot be read ('],
    [
      `users import --from ${import.meta.filename}`,
      '',
      "is no recorder's database with users (file is not a database)",
    ],
    ['users rename olaf olaf2', '', "unknown command 'rename'"],
    // A password is never an argument: those are in the process list.
    [`users add vera ${password}`, '', 'too many arguments'],
    [`users add vera --password ${password}`, '', "unknown option '--password'"],
    [`users set-password olaf ${password}`, '', 'too many arguments'],
    [`users set-password olaf -p ${password}`, '', "unknown option '-p'"],
  ])('%s (%j): %s', async (line, input, said) => {
    const { status, output, errors } = await postern(line, input);
    expect([status, output]).toEqual([1, '']);
    expect(errors).toContain(said);
    expect(errors).not.toContain(password);
    expect(errors).not.toMatch(/^\s+at /m);
    expect([await find('vera'), await find('olaf'), await list()]).toMatchObject([
      undefined,
      { passwordHash: 'h2' },
      ['boss admin', 'olaf operator'],
    ]);
  });
});

describe('users import', () => {
  const lines = (verb: string, where = 'here') =>
    [
      `${verb} admin as admin`,
      `${verb} alice as viewer`,
      `${verb} olaf as operator`,
      `skipped ghost.user: the role no_such_role is not defined ${where}\n`,
    ].join('\n');

  test('a dry run lists the changes, and makes none', async () => {
    const answer = await postern(`users import --from ${sample} --dry-run`);
    expect(answer).toEqual({ status: 0, output: lines('would import'), errors: '' });
    expect(await list()).toEqual([]);
  });

  test('imports users with their passwords; the second time it changes no one', async () => {
    expect(await postern(`users import --from ${sample}`)).toEqual({
      status: 0,
      output: lines('imported'),
      errors: '',
    });
    const before = await find('olaf');
    expect(await matches('olaf', 'olaf-opens-garage')).toBe(true);
    const again = await postern(`users import --from ${sample}`);
    expect([
      again.status,
      again.output.match(/^skipped \S+: there is a user of this name$/gm)?.length,
    ]).toEqual([0, 3]);
    expect(await find('olaf')).toEqual(before);
    expect(await list()).toEqual(['admin admin', 'alice viewer', 'olaf operator']);
  });

  test('lists who was imported when it fails in the middle, and who is left out', async () => {
    await postern(`users import --from ${sample} --dry-run`);
    const file = new DatabaseSync(storePath(directory));
    file.exec(
      "CREATE TRIGGER full BEFORE INSERT ON users WHEN NEW.username = 'olaf' BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    file.close();
    const { status, output, errors } = await postern(`users import --from ${sample}`);
    expect(status).toBe(1);
    expect(output).toBe(
      'imported admin as admin\nimported alice as viewer\nskipped ghost.user: the role no_such_role is not defined here\n',
    );
    expect(errors).toMatch(/^postern: /);
    expect(await list()).toEqual(['admin admin', 'alice viewer']);
  });

  describe('with a recorder at upstream', () => {
    let recorder: Recorder;
    const config = (upstream = recorder.address) =>
      writeFileSync(
        join(directory, 'config.yml'),
        `auth:\n  roles: {} # none yet\nupstream: http://${upstream}\n`,
      );
    beforeEach(async () => {
      recorder = await startRecorder(['garage', 'yard'], { operator: ['garage', 'yard'], other: ['yard'] });
      config();
    });
    afterEach(() => recorder.close().catch(() => undefined));

    test('imports the roles of users too, and announces that', async () => {
      const said = (verb: string, made: string) =>
        [`${made} the role operator: garage, yard`, lines(verb, 'here, nor at the recorder')].join('\n');
      const before = readFileSync(join(directory, 'config.yml'), 'utf8');
      const dry = await postern(`users import --from ${sample} --dry-run`);
      expect(dry).toEqual({ status: 0, output: said('would import', 'would make'), errors: '' });
      expect([readFileSync(join(directory, 'config.yml'), 'utf8'), await list()]).toEqual([before, []]);
      const done = await postern(`users import --from ${sample}`);
      expect(done).toEqual({ status: 0, output: said('imported', 'made'), errors: '' });
      const text = readFileSync(join(directory, 'config.yml'), 'utf8');
      expect(parse(text)).toMatchObject({ auth: { roles: { operator: ['garage', 'yard'] } } });
      expect(text).toContain('# none yet');
      expect(await list()).toContain('olaf operator');
      const { output } = await postern('audit --event role_defined --json');
      expect(JSON.parse(output)).toMatchObject({ object: 'operator', source: 'cli' });
    });

    test('imports without roles when the recorder does not answer, and reports that', async () => {
      await recorder.close();
      const { status, output, errors } = await postern(`users import --from ${sample}`);
      expect([status, output.match(/olaf.*$/m)?.[0]]).toEqual([
        0,
        'olaf: the role operator is not defined here',
      ]);
      expect(errors).toBe(
        'the recorder was not asked about roles: the recorder does not answer at upstream\n',
      );
    });

    test('imports no one when config.yml cannot be written', async () => {
      writeFileSync(
        join(directory, 'config.yml'),
        `auth: {roles: &r }\nupstream: http://${recorder.address}\n`,
      );
      mkdirSync(join(directory, 'config.yml.new'));
      const { status, errors } = await postern(`users import --from ${sample}`);
      expect([status, errors, await list()]).toEqual([
        1,
        "postern: The configuration file can't be written\n",
        [],
      ]);
    });

    test('config check reports whether the recorder refuses the roles, when they are written to it', async () => {
      const check = async (roles: string, more = '{ manage_roles: true }') => {
        writeFileSync(
          join(directory, 'config.yml'),
          `auth: { roles: ${roles} }\nrecorder: ${more}\nupstream: http://${recorder.address}\n`,
        );
        const { status, output } = await postern('config check');
        return [status, ...output.split('\n').filter((line) => line.startsWith('warning'))];
      };
      expect(await check('{ operator: [garage] }')).toEqual([0]);
      expect(await check('{ operator: [garage, attic] }', '{}')).toEqual([0]);
      expect(await check('{ operator: [garage, attic] }')).toEqual([
        0,
        'warning: auth.roles.operator: the recorder has no camera attic',
      ]);
      expect(await check('{ a.b: [garage] }')).toEqual([0, expect.stringContaining('(role_name_refused)')]);
      recorder.define({ unauthenticated: true });
      expect(await check('{ operator: [garage] }')).toEqual([
        0,
        expect.stringContaining('believes the identity headers (8971)'),
      ]);
      await recorder.close();
      expect(await check('{ operator: [garage] }')).toEqual([
        0,
        expect.stringContaining('does not answer at upstream (ECONNREFUSED); roles cannot be written'),
      ]);
    });

    test('config check --ask lists the cameras of the recorder, and those of roles that it does not have', async () => {
      const check = async (text: string) => {
        writeFileSync(join(directory, 'config.yml'), text);
        const { status, output } = await postern('config check --ask');
        return [status, output];
      };
      const roles = 'auth: { roles: { operator: [garage, attic] } }\n';
      const upstream = `upstream: http://${recorder.address}\n`;
      const opened = 'access: { rules: [{ path: /api/config, methods: [GET], require: any }] }\n';
      const good = `${directory}/config.yml is valid\n`;
      const seen = `the recorder has the cameras garage, yard\n${good}`;
      for (const open of ['', opened, opened.replace('any', 'admin-only').replace('GET', 'PUT')])
        expect(await check(upstream + open)).toEqual([0, seen]);
      expect(await check(upstream + opened.replace('any', 'admin-only'))).toEqual([
        0,
        expect.stringMatching(/^warning: access\.rules: a rule closes GET \/api\/config\..*\n/),
      ]);
      expect(await check(roles + upstream + opened)).toEqual([
        0,
        `warning: auth.roles.operator: the recorder has no camera attic\n${seen}`,
      ]);
      expect(await check(roles)).toEqual([
        0,
        `warning: there is no recorder at upstream that could be asked\n${good}`,
      ]);
      await recorder.close();
      expect(await check(upstream)).toEqual([
        0,
        `warning: upstream: the recorder does not answer at upstream (ECONNREFUSED); its cameras cannot be checked\n${good}`,
      ]);
    });
  });

  test('only reads the file', async () => {
    const place = temporaryDirectory();
    const path = join(place, 'recorder.db');
    const recorder = new DatabaseSync(path);
    recorder.exec(
      "CREATE TABLE user (username, role, password_hash); INSERT INTO user VALUES ('x y', 'admin', '')",
    );
    recorder.close();
    const { status, output } = await postern(`users import --from ${path}`);
    expect([status, output]).toEqual([0, 'skipped x y: the name is not allowed here\n']);
    expect(readdirSync(place)).toEqual(['recorder.db']);
  });
});

describe('config check', () => {
  test('warns of a short JWT secret and of an unknown LOG_LEVEL', async () => {
    const { status, output } = await posternProcess(directory, ['config', 'check'], {
      environment: { SERVICE_JWT_SECRET: 'short', LOG_LEVEL: 'warning' },
    });
    expect(status).toBe(0);
    expect(output).toMatch(/^warning: the JWT secret is short: .*SERVICE_JWT_SECRET$/m);
    expect(output).toMatch(/^warning: LOG_LEVEL is "warning"/m);
    expect(output).not.toContain('"short"');
  });

  test('a valid file', async () => {
    const answer = await postern('config check');
    expect(answer).toEqual({ status: 0, output: `${directory}/config.yml is valid\n`, errors: '' });
    expect(existsSync(storePath(directory))).toBe(false);
  });

  test('no file', async () => {
    const empty = temporaryDirectory();
    const { status, output } = await postern('config check', '', empty);
    expect([status, output]).toEqual([0, `no ${empty}/config.yml: everything has its default\n`]);
  });

  test('rejects a directory that does not exist', async () => {
    const { status, output, errors } = await postern('config check', '', join(directory, 'mistyped'));
    expect([status, output]).toEqual([78, '']);
    expect(errors).toBe(
      `postern: SERVICE_CONFIG_DIR: found ${directory}/mistyped, which is not there, allowed is the directory of config.yml\n`,
    );
    expect(existsSync(join(directory, 'mistyped'))).toBe(false);
  });

  test('says when the schema beside it is of another version, and how to renew it', async () => {
    const file = join(directory, 'config.schema.json');
    const valid = `${directory}/config.yml is valid\n`;
    writeFileSync(file, (await postern('config schema')).output);
    expect(await postern('config check')).toEqual({ status: 0, output: valid, errors: '' });
    writeFileSync(file, '{}\n');
    expect(await postern('config check')).toEqual({
      status: 0,
      output: `warning: ${file}, by which editors check config.yml, is of another version of Postern: replace it with what "postern config schema" prints\n${valid}`,
      errors: '',
    });
    expect(readFileSync(file, 'utf8')).toBe('{}\n');
  });

  test('rejects a directory as an argument', async () => {
    const { status, output } = await postern(`config check ${directory}`);
    expect([status, output]).toEqual([1, '']);
  });

  describe('files that the start would open', () => {
    const file = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    test.each<[what: string, config: () => string, said: RegExp]>([
      [
        'an events database that is not there',
        () => 'events: { database: /nowhere/recorder.db }',
        /^postern: events\.database: found \/nowhere\/recorder\.db, a file that is not there, allowed is the recorder's SQLite file$/m,
      ],
      [
        'a certificate that is not there',
        () => 'tls: { certificate: /nowhere/c.pem, key: /nowhere/k.pem }',
        /tls\.certificate: found \/nowhere\/c\.pem, a file that cannot be read/,
      ],
      [
        'a certificate of the recorder that is not there',
        () => 'upstream: https://recorder\nrecorder: { certificate: /nowhere/r.pem }',
        /recorder\.certificate: found \/nowhere\/r\.pem, a file that cannot be read/,
      ],
      [
        'an empty JWT secret',
        () => `audit: {} # ${file('.jwt_secret', '\n')}`,
        /\.jwt_secret: found an empty secret/,
      ],
      [
        'no JWT secret for gates that share a store',
        () => 'store: { url: postgres://gate@db.example/gate }',
        /^postern: SERVICE_JWT_SECRET: found nothing, allowed is the same secret for every gate at store\.url/m,
      ],
      [
        'a JWT secret of this gate alone, where gates share a store',
        () =>
          `store: { url: postgres://gate@db.example/gate } # ${file('.jwt_secret', `${'x'.repeat(64)}\n`)}`,
        /^postern: SERVICE_JWT_SECRET: found only .*\.jwt_secret, which this gate made for itself/m,
      ],
    ])('%s is a problem', async (_, config, said) => {
      writeFileSync(join(directory, 'config.yml'), `${config()}\n`);
      const { status, output, errors } = await postern('config check');
      expect([status, output]).toEqual([78, '']);
      expect(errors).toMatch(said);
    });

    test('reports all problems at once, and creates nothing', async () => {
      writeFileSync(
        join(directory, 'config.yml'),
        'events: { database: /nowhere/r.db }\ntls: { certificate: /nowhere/c.pem, key: /nowhere/k.pem }\n',
      );
      const { errors } = await postern('config check');
      expect(errors.match(/^postern: \S+: found/gm)).toEqual([
        'postern: events.database: found',
        'postern: tls.certificate: found',
      ]);
      expect(readdirSync(directory)).toEqual(['config.yml']);
    });
  });

  test('accepts warnings', async () => {
    writeFileSync(join(directory, 'config.yml'), 'auth:\n  failed_login_rate_limit: ""\n');
    const { status, output } = await postern('config check');
    expect(status).toBe(0);
    expect(output).toMatch(/^warning: .*failed_login_rate_limit/);
  });

  const secret = 'hunter2hunter2';
  test.each(['config check', 'users list', 'users add vera'])(
    '%s with problems: all of them, and 78',
    async (line) => {
      const text = `auth:\n  enabeld: true\n  session_length: soon\nproxy:\n  auth_secret: [${secret}]\n`;
      writeFileSync(join(directory, 'config.yml'), text);
      const { status, output, errors } = await postern(line, password);
      expect([status, output]).toEqual([78, '']);
      expect(errors.split('\n').filter((said) => said !== '')).toEqual([
        expect.stringContaining('auth.enabeld: found an unknown key'),
        expect.stringContaining('auth.session_length: found text'),
        expect.stringContaining('proxy.auth_secret: found a list'),
      ]);
      expect(errors).not.toContain(secret);
    },
  );
});

test.each<[line: string, status: number]>([
  ['--help', 0],
  ['users --help', 0],
  ['', 1],
  ['users', 1],
  ['nothing', 1],
])('postern %s prints its usage', async (line, status) => {
  const answer = await postern(line);
  expect(answer.status).toBe(status);
  expect(answer.output + answer.errors).toMatch(/Usage: postern|unknown command/);
});

test.each<[line: string, input: string, status: number]>([
  ['users --help', '', 0],
  ['', '', 1],
  ['nothing', '', 1],
  ['users list', '', 0],
  ['users add vera', 'short\n', 1],
  ['config check', '', 78],
])('a separate process ends the same: postern %s (%j)', async (line, input, status) => {
  if (status === 78) writeFileSync(join(directory, 'config.yml'), 'auth: { enabeld: true }\n');
  const end = await posternProcess(directory, argumentsOf(line), { input });
  expect(end.status).toBe(status);
  expect(end).toEqual(await postern(line, input));
});
