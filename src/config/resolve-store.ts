import * as v from 'valibot';
import type { Configuration } from './configuration.ts';
import { expandSecret, givenSecret, type Environment, type SecretsContext } from './environment.ts';
import { ConfigurationError, type Findings, type Problem } from './problem.ts';
import type { ConfigurationFile } from './schema.ts';
import { storeUrl } from './values.ts';
import { wholeSecret } from './whole-secret.ts';

export function resolveStore(
  { store }: ConfigurationFile,
  context: SecretsContext,
  findings: Findings,
): Configuration['store'] {
  // Required even where other secrets may be missing: the accounts are in this store.
  const { environment } = context;
  return { url: store.url && expandUrl('store.url', store.url, { environment }, findings) };
}

/** Resolves a `store.url` from outside config.yml. @param path of it in messages. @throws ConfigurationError */
export function storeUrlOf(path: string, written: string, context: SecretsContext): string {
  const problems: Problem[] = [];
  const findings: Findings = {
    refuse: (at, found, allowed) => problems.push({ path: at, found, allowed }),
    warn: () => undefined,
    isLeftOut: () => false,
  };
  const parsed = v.safeParse(storeUrl, written);
  if (!parsed.success) findings.refuse(path, 'something else', parsed.issues[0].message);
  const url = expandUrl(path, written, context, findings);
  if (url === undefined || problems.length > 0) throw new ConfigurationError(problems);
  return url;
}

function expandUrl(
  path: string,
  written: string,
  context: SecretsContext,
  findings: Findings,
): string | undefined {
  const url = expandSecret(path, written, context, findings);
  if (url !== undefined && !URL.canParse(url))
    findings.refuse(path, 'no URL', 'a URL, with %-escapes for what is special in a password');
  return url;
}

export const storeKeyName = 'SERVICE_STORE_KEY';

/**
 * @returns the key that seals secrets in the store; undefined when it is not set
 * @throws ConfigurationError when it is not whole, or too short to be secure
 */
export function storeKeyOf(environment: Environment): string | undefined {
  const given = givenSecret(environment, storeKeyName);
  if (given === undefined) return undefined;
  const key = wholeSecret(given);
  if (key.length < 32)
    throw new ConfigurationError([
      { path: given.source, found: 'a short key', allowed: 'at least 32 characters, or nothing at all' },
    ]);
  return key;
}
