/** What a user and a role may be called. Everything that makes or reads such a name asks here. */

export const userNameForm = /^[A-Za-z0-9._@-]{1,64}$/;
export const roleNameForm = /^[A-Za-z0-9._]{1,64}$/;

/** These make another path of a URL, so that no request could name such a user or role. */
const dotSegments: ReadonlySet<string> = new Set(['.', '..']);

/** What the gate calls itself, and a client of the internal entry point, to whatever stands behind. */
const reservedUsers: ReadonlySet<string> = new Set(['anonymous', 'postern']);

/** What matches the form of a user name and is none; names in other casings are reserved too. */
export const forbiddenUserNames: readonly string[] = [...reservedUsers, ...dotSegments];
const builtInRoles: ReadonlySet<string> = new Set(['admin', 'viewer']);
/** Objects of JavaScript have these keys from the start. */
const reservedRoles: ReadonlySet<string> = new Set([...dotSegments, '__proto__', 'constructor', 'prototype']);

/** Stands in config.yml for no access at all. */
export const noRole = 'none';

/** @returns the form by which names of users and roles compare. Letters beyond ASCII stay: no valid name has one. */
export function foldName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether two names can't both be given: upper and lower case make no difference. */
export function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}

/** @returns that of several names which differs from a name in upper and lower case alone */
export function twinOf(name: string, names: Iterable<string>): string | undefined {
  for (const other of names) if (other !== name && isSameName(other, name)) return other;
  return undefined;
}

/** Whether an account may have this name. */
export function isUserName(name: string): boolean {
  return userNameForm.test(name) && !dotSegments.has(name) && !isReservedUser(name);
}

/** Whether a custom role may have this name. */
export function isRoleName(name: string): boolean {
  return roleNameForm.test(name) && !isBuiltIn(name) && !isNoRole(name) && !reservedRoles.has(foldName(name));
}

/** Whether a name is that of a role that every gate has, in any letter case. */
export function isBuiltIn(role: string): boolean {
  return builtInRoles.has(foldName(role));
}

/** Whether a name means that there is no role, in any letter case. */
export function isNoRole(role: string): boolean {
  return foldName(role) === noRole;
}

/**
 * Whether a user would look like one that the gate makes itself, in any casing and any form of the letters: a proxy may name
 * its users by all of Unicode.
 */
export function isReservedUser(user: string): boolean {
  return reservedUsers.has(user.normalize('NFKC').toUpperCase().toLowerCase());
}

/**
 * Controls, what turns the direction of a text, what is not shown at all, what is no character, and white space other than the
 * blank: with one of these, two names can look like one.
 */
const unclear =
  /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Whether people can read a name as it is, and tell it from others. */
export function isClearName(name: string): boolean {
  return !unclear.test(name);
}
