import { noSchedules, rolesOf } from '../support/roles.ts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  configurationKeys,
  configurationPage,
  environmentVariables,
  generatedPages,
  reasonsPage,
} from '../../script/docs.ts';
import { outcomes } from '../../script/reason-outcomes.ts';
import { rulesPage } from '../../script/rules-page.ts';
import { configurationSchema } from '../../src/config/schema.ts';
import { texts } from '../../src/language/texts.ts';
import { reasonText } from '../../src/language/reason-text.ts';
import type { AccessRule } from '../../src/policy/access-rule.ts';
import { evaluate } from '../../src/policy/evaluate/evaluate.ts';
import { reasons, type Reason } from '../../src/policy/reasons.ts';
import { lockedRules, recorderRules } from '../../src/policy/recorder/access-rules.ts';
import { languages } from '../../src/language/language.ts';
import { maxHeaderSize } from '../../src/http/long-requests.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { prepareRules } from '../../src/policy/rule-tree.ts';
import { filtered, known, nothingRecorded } from './policy/known-cameras.ts';

const committed = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

test('docs/shares.md names the shortest password of a share', () => {
  const [least] = /(?<="password":\{"type":"string","minLength":)\d+/.exec(
    JSON.stringify(JSON.parse(committed('docs/openapi.json')).paths['/postern/api/shares'].post),
  ) ?? [''];
  expect(committed('docs/shares.md')).toContain(`\`password\` (${least} characters or more)`);
});

describe('the generated pages', () => {
  test.each(Object.keys(generatedPages()))('%s is what script/docs writes', (path) => {
    expect(committed(path), 'run script/docs').toBe(generatedPages()[path]);
  });

  test('a changed default, a changed meaning or a new key would be drift', () => {
    const page = (meaning: string, fallback: string, more: v.ObjectEntries = {}) =>
      configurationPage(
        v.object({
          a: v.pipe(
            v.nullish(
              v.strictObject({
                b: v.pipe(v.optional(v.string('text'), fallback), v.description(meaning)),
                ...more,
              }),
              {},
            ),
            v.description('A section.'),
          ),
        }),
      );
    const before = page('What it is.', 'x');
    expect(page('What it is.', 'x')).toBe(before);
    expect(page('What it is.', 'y')).not.toBe(before);
    expect(page('What it was.', 'x')).not.toBe(before);
    expect(page('What it is.', 'x', { c: v.optional(v.boolean()) })).not.toBe(before);
  });

  test('a changed meaning or a new reason would be drift', () => {
    const { meanings, advices } = texts.en.reasons;
    const before = reasonsPage({ meanings, advices });
    expect(before).toBe(committed('docs/reasons.md'));
    expect(reasonsPage({ meanings: { ...meanings, no_role: 'another meaning' }, advices })).not.toBe(before);
    expect(() => reasonsPage({ meanings: { ...meanings, brand_new: 'new' }, advices })).toThrow('brand_new');
  });
});

describe('the rules page', () => {
  const own: AccessRule[] = [{ path: '/own/*', level: 'public', may: 'shell' }];
  const rule: AccessRule = { path: '/api/:camera/a', level: 'camera-in-path', may: 'live' };
  const pageOf = (...recorder: AccessRule[]) => rulesPage({ own, locked: [], recorder }, []);
  const rowsOf = (page: string) =>
    page.split('\n').filter((line) => line.startsWith('| ') && line.includes('/api/'));

  test('a changed level, need or reason, or a new rule, would be drift', () => {
    const before = pageOf(rule);
    expect(pageOf({ ...rule, level: 'unresolved' })).not.toBe(before);
    expect(pageOf({ ...rule, may: 'history' })).not.toBe(before);
    expect(pageOf({ ...rule, stricter: 'Because.' })).not.toBe(before);
    expect(pageOf({ ...rule, methods: ['POST'] })).not.toBe(before);
    expect(pageOf(rule, { ...rule, path: '/api/b' })).not.toBe(before);
  });

  test('only rules that differ in nothing but the path share a row', () => {
    const other: AccessRule = { ...rule, path: '/api/:camera/b' };
    expect(rowsOf(pageOf(rule, other))).toEqual([
      '| `/api/:camera/a`<br>`/api/:camera/b` | yes | `:camera` | `live` |  |',
    ]);
    expect(rowsOf(pageOf(rule, { ...other, may: 'export' }))).toHaveLength(2);
    expect(rowsOf(pageOf(rule, { ...other, stricter: 'Because.' }))).toHaveLength(2);
  });

  test('has each rule of the recorder, in order, with its reason to be stricter beside it', () => {
    const [, locked = '', recorder = ''] = committed('docs/rules.md').split(/^## (?:Locked|Frigate.*)$/m);
    for (const [part, rules] of [
      [locked, lockedRules],
      [recorder, recorderRules],
    ] as const) {
      const paths = [...part.matchAll(/(?<!with )`(\/[^`]*)`(?=[^|]*\| (?:yes|no|with))/g)].map(
        ([, path]) => path,
      );
      expect(paths).toEqual(rules.map(({ path }) => path));
      for (const { path, stricter } of rules.filter((one) => one.stricter !== undefined))
        expect(
          part.split('\n').find((line) => line.includes(`\`${path}\``) && line.includes(stricter ?? '')),
        ).toBeDefined();
    }
  });
});

test('in every language the advice names the same code, and the real limit of headers', () => {
  const codeOf = (text = '') => text.match(/`[^`]*`/g)?.sort();
  for (const reason of reasons) {
    const [english, german] = [reasonText(reason, 'en')?.advice, reasonText(reason, 'de')?.advice];
    expect(codeOf(german), reason).toEqual(codeOf(english));
  }
  for (const language of languages)
    expect(reasonText('request_unparsable', language)?.advice).toContain(`${maxHeaderSize.front / 1024} KiB`);
});

test('troubleshooting leads to every reason of a refusal', () => {
  const refusals = Object.entries(outcomes).filter(([, { outcome }]) => outcome !== 'allow');
  const page = committed('docs/troubleshooting.md');
  expect(refusals.map(([reason]) => reason).filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
});

describe('the configuration page', () => {
  const keys = configurationKeys(configurationSchema);

  test('gives every key a meaning and every value its form', () => {
    expect(keys.filter(({ meaning }) => meaning === '').map(({ path }) => path)).toEqual([]);
    const withoutForm = keys.filter(({ type, allowed }) => {
      return allowed === '' && type !== 'section' && type !== 'true or false';
    });
    expect(withoutForm.map(({ path }) => path)).toEqual([]);
  });

  test('walks sections inside sections, through defaults and pipes', () => {
    expect(keys.map(({ path }) => path)).toContain('proxy.header_map.user');
    expect(keys.find(({ path }) => path === 'auth.session_length')).toMatchObject({
      type: 'number',
      allowed: 'whole seconds; at least 0 seconds',
      fallback: 86_400,
    });
    expect(keys.find(({ path }) => path === 'cameras')?.type).toBe('map or list');
  });

  test('lists the environment variables that the program reads, and no others', () => {
    const source = globSync('src/**/*.ts', { cwd: projectRoot }).map(committed).join('\n');
    const read = [...source.matchAll(/\benv(?:ironment)?\['([A-Z_]+)'\]/g)].map(([, name]) => name);
    expect(new Set(read)).toEqual(new Set(Object.keys(environmentVariables)));
  });
});

test('escapes what Markdown would read in a value', () => {
  const row = configurationPage(configurationSchema)
    .split('\n')
    .find((line) => line.includes('`auth.failed_login_rate_limit`'));
  expect(row).toContain(String.raw`\<second\|minute\|hour\>`);
});

describe('the reasons page', () => {
  const rules = {
    roles: rolesOf(),
    resolveResource: prepareRules([{ path: '/**', level: 'any', may: 'shell' }])(known([])),
    recorded: nothingRecorded,
    internalHosts: new Set<string>(),
    listsAreFiltered: filtered.listsAreFiltered,
    stateOf: noSchedules,
    basePath: '',
  };
  const request = {
    entryPoint: 'authenticated',
    method: 'GET',
    uri: '/',
    headers: [],
    host: undefined,
    secure: true,
  } as const;
  const authentication: readonly Reason[] = [
    'proxy_secret_missing',
    'proxy_secret_repeated',
    'proxy_secret_mismatch',
    'trusted_header_repeated',
    'trusted_header_alias',
    'trusted_header_hop_by_hop',
    'user_missing',
    'user_malformed',
    'user_reserved',
    'groups_malformed',
    'no_role',
    'no_session',
    'token_ambiguous',
    'token_invalid',
    'token_expired',
    'token_revoked',
    'user_unknown',
    'user_blocked',
    'provider_removed',
    'api_token_unknown',
    'api_token_expired',
    'api_token_too_wide',
    'basic_over_http',
  ];

  test.each(authentication)('says the decision that %s leads to', (reason) => {
    expect(outcomes[reason].outcome).toBe(evaluate(request, { refused: reason }, rules).outcome);
  });
});
