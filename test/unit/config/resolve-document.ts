import type { Configuration } from '../../../src/config/configuration.ts';
import { ConfigurationError, describeProblem, type Problem } from '../../../src/config/problem.ts';
import { expectSchemaToAccept, expectSchemaToRefuse } from './editor-schema.ts';
import { resolveConfiguration } from '../../../src/config/resolve.ts';

/** Resolves a document with a small list of trusted headers, and `SERVICE_*` of the environment given. */
export function resolve(
  document: unknown,
  environment: Readonly<Record<string, string>> = {},
  missingSecrets?: 'ignored',
  roleOrder: readonly string[] = [],
): Configuration {
  try {
    const resolved = resolveConfiguration(document, {
      environment,
      missingSecrets,
      trustedHeaders: new Set(['remote-user', 'remote-groups', 'x-proxy-secret']),
      trustedHeadersFile: '/etc/trusted.conf',
      roleOrder,
    });
    expectSchemaToAccept(document);
    return resolved;
  } catch (error) {
    if (error instanceof ConfigurationError) expectSchemaToRefuse(document);
    throw error;
  }
}

/** The problems of a document; none when it is valid. */
export function problemsOf(
  document: unknown,
  environment?: Readonly<Record<string, string>>,
): readonly Problem[] {
  try {
    resolve(document, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

export function problemText(document: unknown, environment?: Readonly<Record<string, string>>): string {
  return problemsOf(document, environment).map(describeProblem).join('\n');
}
