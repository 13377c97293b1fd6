import { isIP } from 'node:net';
import * as v from 'valibot';
import { isPlainObject } from '../policy/json.ts';
import { groupNameForm, roleNameForm } from '../policy/names.ts';

/** Value types of config.yml, each with a message that describes what is allowed. */

const headerName = /^[A-Za-z0-9!#$%&'*+^`|~-]+$/;

export const text = (allowed: string) =>
  v.pipe(v.string(`text: ${allowed}`), v.nonEmpty(`text that is not empty: ${allowed}`));
export const names = (allowed: string) => v.array(text(allowed), `a list: ${allowed}`);
export const flag = v.boolean('true or false');
export const seconds = (least: number) =>
  v.pipe(
    v.number('a number of seconds'),
    v.integer('whole seconds'),
    v.minValue(least, `at least ${least} seconds`),
  );
const lifetimeAllowed = 'days, hours or minutes, such as 30d, 12h or 90m; at most 3650d';
export const lifetime = v.pipe(
  v.string(lifetimeAllowed),
  v.check(
    (value) => millisecondsOf(value) > 0 && millisecondsOf(value) <= 3_650 * 86_400_000,
    lifetimeAllowed,
  ),
);

/** @returns milliseconds of a `lifetime`; 0: none */
export function millisecondsOf(value: string): number {
  const [, number, unit] = /^([1-9]\d{0,6})([dhm])$/.exec(value) ?? [];
  return number === undefined
    ? 0
    : Number(number) * { d: 86_400_000, h: 3_600_000, m: 60_000 }[unit as 'd' | 'h' | 'm'];
}

export const wholeNumber = (of: string, most: number) =>
  v.pipe(
    v.number(`a number of ${of}`),
    v.integer(`whole ${of}`),
    v.minValue(0, `at least 0 ${of}`),
    v.maxValue(most, `at most ${most} ${of}`),
  );
export const count = (of: string) =>
  v.pipe(
    v.number(`a number of ${of}`),
    v.integer(`whole ${of}`),
    v.minValue(1, 'at least 1'),
    v.maxValue(65_536, `at most 65536 ${of}`),
  );
/** It may contain a password, so no message repeats it. */
export const storeUrl = v.pipe(
  v.string('a URL'),
  v.check(
    (value) => /^postgres(ql)?:\/\/./.test(value),
    'postgres://user:password@host/database (the value is not shown: it has a secret)',
  ),
);
export const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.description(description));

export const roleName = v.pipe(
  v.string(),
  v.regex(roleNameForm, 'a role name: letters, digits, dots and underscores, at most 64'),
);
export const groupName = v.pipe(
  v.string(),
  v.regex(groupNameForm, 'a name: letters, digits, dots, hyphens and underscores, at most 64'),
);
export const header = v.pipe(
  v.string('a header name'),
  v.regex(headerName, 'a header name, with hyphens and no underscores'),
);
const portAllowed = 'a port, host:port, or off';
export const listen = v.union([v.pipe(v.number(), v.check(isPort, portAllowed)), v.string()], portAllowed);
export const forwardAuth = v.string('unix:/path, host:port, or off');
export const domain = v.pipe(
  v.string('a domain'),
  v.regex(
    /^(?=.{1,253}$)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/,
    'a domain such as cameras.example, without scheme or port',
  ),
);
export const cidr = v.pipe(
  v.string('a network'),
  v.check(isNetwork, 'a network such as 10.0.0.0/8, or an address'),
);

function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 65_535;
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 &&
    bits > 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
  );
}

/** valibot's own `record` accepts lists as maps with the keys 0, 1, 2 …, and skips keys such as `__proto__`. */
export function mapOf<K extends v.GenericSchema<string, string>, V extends v.GenericSchema>(
  key: K,
  value: V,
  allowed: string,
) {
  const record = v.record(key, value);
  return v.pipe(
    // `record` describes the entries to what reads schemas, such as json-schema.ts.
    Object.assign(v.custom<Record<string, v.InferInput<V>>>(isPlainObject, allowed), { record }),
    v.check(
      (input) => !reservedKeys.some((reserved) => Object.hasOwn(input, reserved)),
      `no key ${reservedKeys.join(', ')}`,
    ),
    record,
  );
}

const reservedKeys = ['__proto__', 'constructor', 'prototype'];

export const logoutUrl = v.pipe(
  v.string('a URL'),
  v.check(isWebTarget, 'an http or https URL, or a path that begins with one slash'),
);

function isWebTarget(value: string): boolean {
  if (/^\/(?![/\\])/.test(value)) return !/[\s\\]/.test(value);
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol) && !/\s/.test(value);
}

const longestContact = 200;

/** Shown to users: one line, and links only to schemes that do nothing by themselves. */
export const contact = v.pipe(
  v.string('a text'),
  v.regex(/\S/, 'text that is not empty'),
  v.trim(),
  v.maxLength(longestContact, `at most ${longestContact} characters`),
  v.check(
    (value) => !controlCharacter.test(value) && isContact(value),
    'a text on one line, a mailto: address, or an https URL without a user',
  ),
);

/** C0, DEL, C1, line separators, and bidirectional controls and marks. */
export const controlCharacter =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

function isContact(value: string): boolean {
  if (/^mailto:/i.test(value)) return /^mailto:[^\s@?]+@[^\s@?]+(?:\?\S*)?$/i.test(value);
  if (/^https:/i.test(value)) {
    const url = /^https:\/\/\S+$/i.test(value) ? URL.parse(value) : null;
    return url !== null && url.username === '' && url.password === '';
  }
  // `Olaf: 0171 …` is a text, not a URL.
  return !/^[a-z][a-z0-9+.-]*:(?!\s+\S)/i.test(value) && !/^(?:javascript|vbscript|data):/i.test(value);
}

/** An origin (RFC 6454), as browsers write it. */
export const publicUrl = v.pipe(
  v.string('an origin'),
  v.transform((value) => value.replace(/\/$/, '')),
  v.check(
    (value) => /^https?:/.test(value) && URL.parse(value)?.origin === value,
    'an origin such as https://cameras.example, in lower case, without a path',
  ),
);

/** Names that the first part of a base path must not have: paths of the gate and of recorders begin with these. */
const ownRoots: ReadonlySet<string> = new Set(
  'account api auth explore login logout postern settings clips exports live recordings stream vod ws'.split(
    ' ',
  ),
);
/** Empty parts and dot segments are refused: programs normalize them differently. */
export function isPathPrefix(value: string): boolean {
  return /^(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~-]+)+$/.test(value);
}

export const basePath = v.pipe(
  v.string('a path'),
  v.transform((value) => value.replace(/\/$/, '')),
  v.check(
    (value) => value === '' || isPathPrefix(value),
    'a path such as /cameras, of letters, digits and ._~-',
  ),
  v.check(
    (value) => !ownRoots.has((value.split('/')[1] ?? '').toLowerCase()),
    `a path that does not begin like one of Postern's or a recorder's own: ${[...ownRoots].join(', ')}`,
  ),
);

/** Kept exactly as written: it is compared with the provider's own issuer letter by letter. */
export const providerIssuer = v.pipe(
  v.string('a URL'),
  v.check(isIssuer, 'an https URL without query or fragment, or an http one on loopback'),
);

/** OpenID Connect Discovery 1.0, 4.3; plain HTTP is accepted on loopback. */
function isIssuer(value: string): boolean {
  const url = /^https?:\/\/\S+$/.test(value) ? URL.parse(value) : null;
  if (url === null || url.username !== '' || url.password !== '' || /[?#]/.test(value)) return false;
  return url.protocol === 'https:' || isLoopback(url.hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/** Part of a header: a host name may have no sign that means something there, such as `;` or `*`. Plain http is for trying it on one machine. */
export const frameOrigin = v.pipe(
  v.string('an origin'),
  v.check((text) => {
    const url = URL.parse(text);
    if (url === null || url.origin !== text || !/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(url.hostname))
      return false;
    const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
  }, 'an https origin without a path, such as "https://home.example" (http only for loopback)'),
);
