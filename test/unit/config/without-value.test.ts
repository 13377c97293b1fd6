import { expect, test } from 'vitest';
import { configurationKeys } from '../../../script/docs.ts';
import { configurationSchema } from '../../../src/config/schema.ts';
import { problemsOf, resolve } from './resolve-document.ts';

/** Null means something else there: a blank, and no limit. */
const withMeaning = new Set(['proxy.separator', 'auth.failed_login_rate_limit']);

/** Refused, since more would be open without them. */
const closing = new Set([
  'proxy.auth_secret',
  'fronts.secret',
  'auth.oidc.allowed_emails',
  'auth.oidc.role_map',
  'auth.second_factor.required_for',
]);

const at = (path: string, value: object) =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;
const outcomeOf = (document: unknown) => {
  const problems = problemsOf(document);
  return problems.length > 0 ? problems : { ...resolve(document), warnings: [] };
};

test.each(configurationKeys(configurationSchema).map(({ path }) => path))('%s: null is as no key', (path) => {
  if (withMeaning.has(path) || closing.has(path)) return;
  const parts = path.split('.');
  const key = parts.pop() ?? '';
  const [without, withNull] = [{}, { [key]: null }].map((section) =>
    parts.length === 0 ? section : at(parts.join('.'), section),
  );
  expect(outcomeOf(withNull)).toEqual(outcomeOf(without));
});
