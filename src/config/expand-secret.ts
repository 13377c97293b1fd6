import type { Findings } from './problem.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces `{SERVICE_NAME}` from the environment.
 * @returns undefined after a refusal because of an unknown name
 */
export function expandSecret(
  path: string,
  secret: string,
  { environment }: { readonly environment: Environment },
  { refuse, warn }: Findings,
): string | undefined {
  let isWhole = true;
  const misnamed = /\{(?!SERVICE_)[A-Za-z_][A-Za-z0-9_]*\}/.exec(secret)?.[0];
  if (misnamed !== undefined)
    warn(`${path} has ${misnamed} in it, which is not replaced: such names begin with SERVICE_`);
  const expanded = secret.replace(/\{(SERVICE_[A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = environment[name];
    if (value === undefined) {
      isWhole = false;
      refuse(path, `{${name}}`, 'the name of an environment variable that is set');
    }
    return value ?? '';
  });
  if (!isWhole) return undefined;
  if (expanded.trim() === '') {
    refuse(path, 'an empty secret', 'a secret, or no such key');
  } else if (expanded !== expanded.trim()) {
    refuse(path, 'a secret with a blank at an end', 'a secret that a header can carry');
  }
  return expanded;
}
