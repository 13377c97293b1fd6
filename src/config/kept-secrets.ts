/*
 * Settings that a page reads back never carry a secret: it is shown as `***`. Sent back unchanged, `***` keeps the secret that is in
 * config.yml, as long as it goes to the same address as before.
 */

export const keptSecret = '***';

type Target = Readonly<Record<string, unknown>>;

const secretKeys = ['secret', 'token'] as const;

/**
 * The password in the URL of a mail server, with everything before the last @: too much is hidden rather than too little. The user may be an
 * address with an @ of its own, and parsers need no slashes.
 */
const userInfo = /^([^:]*:[/\\]*[^:]*):(.*)@/s;

/** @returns an alert target without its secrets */
export function withoutSecrets(target: Target): Target {
  const shown: Record<string, unknown> = { ...target };
  for (const key of secretKeys) if (shown[key] !== undefined) shown[key] = keptSecret;
  if (typeof shown['url'] === 'string') shown['url'] = shown['url'].replace(userInfo, `$1:${keptSecret}@`);
  return shown;
}

/**
 * @param before the targets in config.yml
 * @returns the target with the secrets that it had before; `undefined` if no target at the same address has any
 */
export function withKeptSecrets(target: Target, before: readonly Target[]): Target | undefined {
  if (!keepsSecret(target)) return target;
  const { type, url } = target;
  const found = before.find((other) => {
    // The shown address hides parts, so only a target that keeps its password is compared by it.
    const address = isKept(url) ? withoutSecrets(other)['url'] : other['url'];
    return other['type'] === type && address === url;
  });
  if (found === undefined) return undefined;
  const whole: Record<string, unknown> = { ...target };
  if (isKept(whole['url'])) whole['url'] = found['url'];
  for (const key of secretKeys) {
    if (whole[key] !== keptSecret) continue;
    if (found[key] === undefined) return undefined;
    whole[key] = found[key];
  }
  return whole;
}

function keepsSecret(target: Target): boolean {
  return isKept(target['url']) || secretKeys.some((key) => target[key] === keptSecret);
}

function isKept(url: unknown): boolean {
  return typeof url === 'string' && userInfo.exec(url)?.[2] === keptSecret;
}

/**
 * Whether a value names a variable or a secret file, as `{SERVICE_MAIL_PASSWORD}` does. A page must not send one: it could be sent
 * on to an address that the page names.
 */
export function namesVariable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(namesVariable);
}
