/** Valid names of users and roles, for everything that creates or reads one. */

export const userNameForm = /^[A-Za-z0-9._@-]{1,64}$/;
export const roleNameForm = /^[A-Za-z0-9._]{1,64}$/;
/** The form of a recorder's camera names. */
export const cameraNameForm = /^[A-Za-z0-9_-]{1,128}$/;
export const groupNameForm = /^[A-Za-z0-9._-]{1,64}$/;

/** In a URL these change the path, so that no request could name such a user or role. */
const dotSegments: ReadonlySet<string> = new Set(['.', '..']);

/** The upstream sees the gate itself, and clients of the internal entry point, under these names. */
const reservedUsers: ReadonlySet<string> = new Set(['anonymous', 'postern']);

/** Names that have the form of a user name but are reserved, in any letter case. */
export const forbiddenUserNames: readonly string[] = [...reservedUsers, ...dotSegments];
const builtInRoles: ReadonlySet<string> = new Set(['admin', 'viewer']);
/** JavaScript objects have these keys from the start. */
const reservedKeys: ReadonlySet<string> = new Set([...dotSegments, '__proto__', 'constructor', 'prototype']);

/** Means no access at all in config.yml. */
export const noRole = 'none';

/** @returns the form by which names of roles are compared. Letters beyond ASCII stay: no valid name has one. */
export function foldName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether two names of roles differ at most in letter case, so that only one of them can be given. */
function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}

/**
 * @returns the form by which names of users are compared: in one case, and with letters that look alike (full-width, ligatures) as one.
 * Names of federated users may have any letter.
 */
export function foldUserName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Whether two names of users cannot be told apart, so that only one of them can be given. */
export function isSameUserName(one: string, other: string): boolean {
  return one === other || foldUserName(one) === foldUserName(other);
}

/** @returns the name that differs from another only in letter case */
export function twinOf(name: string, names: Iterable<string>): string | undefined {
  for (const other of names) if (other !== name && isSameName(other, name)) return other;
  return undefined;
}

/** Whether an account may have this name. */
export function isUserName(name: string): boolean {
  return userNameForm.test(name) && !dotSegments.has(name) && !isReservedUser(name);
}

/** Not in the names of federated users: their names stand in paths, and the gate puts `:` in names of its own. */
const notInNames = /[/\\%:?;]/;
/** A space that no one sees, or a mark that belongs to the letter before. */
const unevenName = /^[ \p{M}]| {2}| $/u;

/** @returns the name of a federated user as accounts have it; `undefined` if no account may have this name */
export function federatedUserName(claimed: string): string | undefined {
  const name = claimed.normalize('NFC');
  const length = [...name].length;
  if (length === 0 || length > 64 || !isClearName(name)) return undefined;
  if (notInNames.test(name) || unevenName.test(name)) return undefined;
  return dotSegments.has(name.normalize('NFKC')) || isReservedUser(name) ? undefined : name;
}

/** Whether a custom role may have this name. */
export function isRoleName(name: string): boolean {
  return roleNameForm.test(name) && !isBuiltIn(name) && !isNoRole(name) && !reservedKeys.has(foldName(name));
}

/** Whether a name is like that of a role made for an invitation. An operator may have given it too: the store has which were made. */
export function isPersonalRoleName(name: string): boolean {
  return /^guest_[0-9a-f]{12}$/.test(name);
}

/** Whether texts name the role's person in place of it: programs before 2.0 made roles such as `guest.nell`. */
export function isNamelessRole(name: string): boolean {
  return isPersonalRoleName(name) || name.startsWith('guest.');
}

/** Whether a group of cameras may have this name. */
export function isGroupName(name: string): boolean {
  return groupNameForm.test(name) && !reservedKeys.has(foldName(name));
}

/** Whether a name is that of a built-in role, in any letter case. */
export function isBuiltIn(role: string): boolean {
  return builtInRoles.has(foldName(role));
}

/** Whether a name means no role, in any letter case. */
export function isNoRole(role: string): boolean {
  // Each decision asks: for most roles the length answers already.
  return role.length === noRole.length && foldName(role) === noRole;
}

/**
 * Whether a user would look like one of the gate's own, in any letter case and any form of the letters: a proxy may use all of
 * Unicode for the names of its users.
 */
export function isReservedUser(user: string): boolean {
  return reservedUsers.has(user.normalize('NFKC').toUpperCase().toLowerCase());
}

/**
 * Controls, direction marks, invisible characters, noncharacters, and white space other than the plain space: with one of these,
 * two names can look the same.
 */
const unclear =
  /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Whether a name is readable as it is, and distinguishable from others. */
export function isClearName(name: string): boolean {
  return !unclear.test(name);
}

// A recorder reads dots as levels, and a name made of digits as a position in a list.
const writableName = /^[A-Za-z0-9_]*[A-Za-z][A-Za-z0-9_]*$/;

/** @returns why a role can never be written to a recorder's configuration; undefined if it can */
export function obstacleTo(
  role: string,
  cameras: ReadonlySet<string>,
): 'role_name_refused' | 'role_without_cameras' | undefined {
  // Recorders look roles up in lower case.
  if (!writableName.test(role) || isBuiltIn(role) || isNoRole(role)) return 'role_name_refused';
  // Some recorders read no cameras as all cameras, others as an error.
  return cameras.size === 0 ? 'role_without_cameras' : undefined;
}
