import { createHmac, randomBytes } from 'node:crypto';

/*
 * Settings that a page reads back never carry a secret: it is shown as `***`. Sent back unchanged, `***` keeps the secret that is in
 * config.yml, as long as it goes to the same address as before. The path and the query of a webhook or an ntfy topic are secrets too: whoever has
 * them can post there, or read along. They are shown as `***` and a mark, which tells two targets of one host apart.
 */

export const keptSecret = '***';

type Target = Readonly<Record<string, unknown>>;

const secretKeys = ['secret', 'token'] as const;

/** Another at each start: without it, a mark would confirm a guessed topic. */
const markKey = randomBytes(32);
const keptAddress = /\*{3}[0-9a-f]{16}$/;

/** `https://ntfy.sh/***` and a mark for `https://ntfy.sh/willow-lane`; a URL that is only an origin stays. */
function hostAlone(url: string): string {
  const parsed = URL.parse(url);
  if (parsed !== null && (url === parsed.origin || url === `${parsed.origin}/`)) return url;
  const mark = createHmac('sha256', markKey).update(url).digest('hex').slice(0, 16);
  return `${parsed === null ? '' : `${parsed.protocol}//${parsed.host}/`}${keptSecret}${mark}`;
}

/**
 * The password in the URL of a mail server, with everything before the last @: too much is hidden rather than too little. The user may be an
 * address with an @ of its own, and parsers need no slashes.
 */
const userInfo = /^([^:]*:[/\\]*[^:]*):(.*)@/s;

/** @returns an alert target without its secrets */
export function withoutSecrets(target: Target): Target {
  const shown: Record<string, unknown> = { ...target };
  for (const key of secretKeys) if (shown[key] !== undefined) shown[key] = keptSecret;
  const { type, url } = target;
  if (typeof url === 'string')
    shown['url'] = type === 'mail' ? url.replace(userInfo, `$1:${keptSecret}@`) : hostAlone(url);
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
  return typeof url === 'string' && (userInfo.exec(url)?.[2] === keptSecret || keptAddress.test(url));
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
