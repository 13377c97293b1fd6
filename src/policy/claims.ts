import { isPlainObject, readJson } from './json.ts';

/* Claims of an identity provider, in the shapes that providers send. */

type ClaimSet = Readonly<Record<string, unknown>>;

/** @returns the names along a path such as `realm_access.roles`; a dot after a backslash belongs to the name */
export function claimPath(claim: string): readonly string[] {
  return claim.split(/(?<!\\)\./).map((name) => name.replaceAll(/\\+\./g, '.'));
}

/**
 * @param claim a name, or a path if no claim has exactly this name; below a list it collects from every entry
 * @returns undefined when the claim is absent
 */
export function claimAt(claims: ClaimSet, claim: string): unknown {
  return Object.hasOwn(claims, claim) ? claims[claim] : claimPath(claim).reduce(below, claims);
}

function below(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    const found = value.flatMap((entry) => below(entry, name)).filter((entry) => entry !== undefined);
    return found.length === 0 ? undefined : found;
  }
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Adds what the provider says elsewhere about claims that the signed ones omit. */
export function completeClaims(signed: ClaimSet, more: ClaimSet, wanted: readonly string[]): ClaimSet {
  const omitted = wanted
    .filter((claim) => claimAt(signed, claim) === undefined && claimAt(more, claim) !== undefined)
    .map((claim) => claimPath(claim)[0] ?? claim)
    .filter((name) => Object.hasOwn(more, name));
  return { ...more, ...signed, ...Object.fromEntries(omitted.map((name) => [name, more[name]])) };
}

interface ReadGroups {
  readonly groups: readonly string[];
  /** Shape of what can't be read as groups. */
  readonly unreadable?: string;
}

/**
 * Reads a list, a text, or an object whose keys are the groups.
 * @param isKnown whether a group gives a role: such a text is one group, whatever characters it has
 * @param separator of several groups in a text, which may hold JSON then; without one, a text is one group: its author may be the user
 */
export function readGroups(
  claim: unknown,
  isKnown: (group: string) => boolean,
  separator: string | undefined,
): ReadGroups {
  if (claim === undefined) return { groups: [] };
  return typeof claim === 'string' ? readText(claim, isKnown, separator) : readValue(claim);
}

function readValue(value: unknown): ReadGroups {
  if (Array.isArray(value)) {
    const groups = value.filter((group) => typeof group === 'string');
    return groups.length === value.length ? { groups } : { groups, unreadable: shapeOf(value) };
  }
  if (!isPlainObject(value)) return { groups: [], unreadable: shapeOf(value) };
  return {
    groups: Object.entries(value)
      .filter(([, member]) => saysMember(member))
      .map(([group]) => group),
  };
}

/** Whether the value of a group's key says that the user is in it: `false`, 0, an empty text and an empty list say no. */
function saysMember(member: unknown): boolean {
  if (Array.isArray(member)) return member.length > 0;
  return isPlainObject(member) ? Object.keys(member).length > 0 : member === true || member === 'true';
}

function readText(
  text: string,
  isKnown: (group: string) => boolean,
  separator: string | undefined,
): ReadGroups {
  const trimmed = text.trim();
  const whole = [text, trimmed].find(isKnown);
  if (whole !== undefined) return { groups: [whole] };
  if (separator === undefined) return { groups: trimmed === '' ? [] : [trimmed] };
  const json = /^[[{"]/.test(trimmed) ? readJson(trimmed) : undefined;
  if (json !== undefined && typeof json !== 'string') return readValue(json);
  return { groups: partsOf(json ?? trimmed, separator) };
}

/** Cognito writes lists of other providers as `[one, two]`. */
function partsOf(text: string, separator: string): readonly string[] {
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  return inner
    .split(separator)
    .map((group) => group.trim())
    .filter((group) => group !== '');
}

/** Whether the provider left a claim out and names a place to ask instead (OpenID Connect Core 1.0, 5.6.2). */
export function isLeftOut(claims: ClaimSet, claim: string): boolean {
  const { _claim_names: elsewhere, hasgroups: hasGroups } = claims;
  if (claimAt(claims, claim) !== undefined) return false;
  return (isPlainObject(elsewhere) && Object.hasOwn(elsewhere, claim)) || (claim === 'groups' && !!hasGroups);
}

/** @returns words for the type of a claim, without anything of its value */
export function shapeOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value === '' ? 'empty text' : 'text';
  if (Array.isArray(value))
    return value.length === 0 ? 'empty list' : `list of ${[...new Set(value.map(kindOf))].join(' and ')}`;
  if (isPlainObject(value)) return Object.keys(value).length === 0 ? 'empty object' : 'object';
  return typeof value;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : shapeOf(value);
}
