import type { AccessOfRole } from '../../api-client.ts';
import { isNamelessRole } from '../../../policy/names.ts';
import { capabilities, type Capability } from '../../ui/roles/role-access.ts';
import { fill, text } from '../../text.ts';

const words = text.viewAs;

type Entry = AccessOfRole['access'][number];
type Permission = Entry[Capability];

/** @returns the reason that refuses everything with a camera, or `undefined` if something is granted or the reasons differ */
export function refusedAltogether(entry: Readonly<Record<Capability, Permission>>): string | undefined {
  const { reason } = entry.live;
  const isSame = capabilities.every((word) => entry[word].state === 'no' && entry[word].reason === reason);
  return isSame ? reason : undefined;
}

/** @returns why not, in the width of a cell */
export function refusalText(reason: string, role: string): string {
  if (reason === 'camera_not_granted')
    return isNamelessRole(role) ? words.notGranted : fill(words.notIncluded, { role });
  if (reason === 'role_may_not') return words.notGranted;
  const known = otherReason(reason);
  return known === undefined ? words.notNow : fill(words.otherwise, { why: known });
}

/** @returns the text of a reason that has nothing to do with the role */
export function otherReason(reason: string): string | undefined {
  const known: Readonly<Record<string, string>> = words.reasons;
  return Object.hasOwn(known, reason) ? known[reason] : undefined;
}

/** @returns the answers of a row by camera */
export function entriesOf({ access }: Pick<AccessOfRole, 'access'>): ReadonlyMap<string, Entry> {
  return new Map(access.flatMap((entry) => entry.cameras.map((camera) => [camera, entry] as const)));
}

/** @returns the cameras in their order, those of the role before the others */
export function grantedFirst(
  cameras: readonly string[],
  { granted }: Pick<AccessOfRole, 'granted'>,
): readonly string[] {
  const isOther = (camera: string) => Number(!granted.includes(camera));
  return cameras.toSorted((a, b) => isOther(a) - isOther(b));
}
