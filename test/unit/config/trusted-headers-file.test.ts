import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, type Problem } from '../../../src/config/problem.ts';
import { parseTrustedHeaders, trustedHeaderLine } from '../../../src/config/trusted-headers-file.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';

const parse = (text: string) => parseTrustedHeaders(text, 'trusted.conf');
const line = 'proxy_set_header Remote-User $http_remote_user;';

function problemsOf(text: string): readonly Problem[] {
  try {
    parse(text);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

describe('accepts', () => {
  test.each<[what: string, text: string, names: readonly string[]]>([
    ['nothing', '', []],
    ['comments and blank lines', '# a\n\n   \n\t# b', []],
    ['one header', line, ['remote-user']],
    ['several', `${line}\n${trustedHeaderLine('X-idp-uid')}\n`, ['remote-user', 'x-idp-uid']],
    ['Windows line ends and a byte order mark', `\uFEFF${line}\r\n`, ['remote-user']],
    ['white space', `\t proxy_set_header\tRemote-User   $http_remote_user ; `, ['remote-user']],
    ['a comment behind', `${line} # the user`, ['remote-user']],
    ['double quotes', 'proxy_set_header "Remote-User" "$http_remote_user";', ['remote-user']],
    ['single quotes', "proxy_set_header 'Remote-User' '$http_remote_user';", ['remote-user']],
    ['a variable in capitals', 'proxy_set_header Remote-User $HTTP_Remote_User;', ['remote-user']],
  ])('%s', (_, text, names) => {
    expect(parse(text)).toEqual(new Set(names));
  });

  test("the project's own file has the headers of spec.md", () => {
    const own = readFileSync(new URL('../../../proxy_trusted_headers.conf', import.meta.url), 'utf8');
    const forwarded = ['user', 'groups', 'email', 'preferred-username'].map((name) => `x-forwarded-${name}`);
    const remote = ['user', 'groups', 'email', 'name'].map((name) => `remote-${name}`);
    const idp = ['username', 'groups', 'email', 'name', 'uid'].map((name) => `x-idp-${name}`);
    const names = parse(own);
    expect(names.isSupersetOf(new Set([...forwarded, ...remote, ...idp]))).toBe(true);
    expect(names).not.toContain('remote-role');
  });
});

describe('rejects', () => {
  test.each<[text: string, found: string]>([
    ['Remote-User', 'another text'],
    ['proxy_set_header Remote-User $http_remote_user', 'another text'],
    ['proxy_set_header Remote-User;', 'another text'],
    [`${line} ${line}`, 'another text'],
    ['proxy_set_header Remote-User $http_remote_user extra;', 'another text'],
    ['proxy_pass http://evil.test;', 'another text'],
    ['include other.conf;', 'another text'],
    ['proxy_set_header Remote-User "$http_remote_user;', 'another text'],
    ['proxy_set_header Remote_User $http_remote_user;', 'a name with other characters'],
    ['proxy_set_header Remote.User $http_remote_user;', 'a name with other characters'],
    ['proxy_set_header Benützer $http_benutzer;', 'a name with other characters'],
    ['proxy_set_header Remote-User $http_x_user;', 'another value'],
    ['proxy_set_header Remote-User olaf;', 'another value'],
    ['proxy_set_header Remote-User "";', 'another text'],
    ['proxy_set_header Remote-User x$http_remote_user;', 'another value'],
  ])('%s', (text, found) => {
    expect(problemsOf(text)).toMatchObject([{ path: 'trusted.conf line 1', found }]);
  });

  test('reports the correct line for a wrong value', () => {
    expect(problemsOf('proxy_set_header X-idp-uid $remote_user;')[0]?.allowed).toContain(
      'proxy_set_header X-idp-uid $http_x_idp_uid;',
    );
  });

  test('reports every bad line with its number, including duplicates in any case', () => {
    const text = ['# headers', 'nonsense', line, line.replace('Remote-User', 'REMOTE-USER'), '', 'more'];
    expect(problemsOf(text.join('\n')).map(({ path, found }) => [path, found])).toEqual([
      ['trusted.conf line 2', 'another text'],
      ['trusted.conf line 4', 'REMOTE-USER a second time'],
      ['trusted.conf line 6', 'another text'],
    ]);
  });
});

test('returns lower-case header names or problems for any text', () => {
  const valid = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9-]{1,9}$/), {
    minLength: 1,
    maxLength: 4,
    selector: (name) => name.toLowerCase(),
  });
  const doubtful = fc.oneof(
    fc.constantFrom(line, `${line}\r`, '# x', '', 'proxy_set_header', 'proxy_set_header A $http_a;'),
    fc.string({ unit: anyCodePoint }),
    fc.string().map((name) => trustedHeaderLine(name)),
  );
  const lines = fc
    .tuple(valid, fc.array(doubtful, { maxLength: 2 }))
    .map(([names, others]) => others.concat(names.map((name) => trustedHeaderLine(name))));
  assertCases(
    fc.property(lines, (texts) => {
      const text = texts.join('\n');
      if (problemsOf(text).length > 0) return;
      for (const name of parse(text)) expect(name).toMatch(/^[a-z0-9-]+$/);
    }),
    { numRuns: 1_000, reaching: 0.2 },
  );
});

test('accepts the recommended line', () => {
  assertCases(
    fc.property(fc.stringMatching(/^[A-Za-z0-9-]{1,20}$/), (name) => {
      expect(parse(trustedHeaderLine(name))).toEqual(new Set([name.toLowerCase()]));
    }),
  );
});
