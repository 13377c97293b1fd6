import * as v from 'valibot';
import { capabilities } from '../../policy/capability.ts';

/* What people have of features; each feature that is on gives its own. */

const moment = v.pipe(v.number(), v.description('Seconds since the epoch.'));
const cameras = v.array(v.string());

export const personToken = v.strictObject({
  id: v.string(),
  name: v.string(),
  role: v.string(),
  cameras: v.pipe(v.nullable(cameras), v.description('Null: all of the role.')),
  expires_at: v.pipe(v.nullable(moment), v.description('Null: does not expire.')),
  last_used_at: v.pipe(v.nullable(moment), v.description('Null: not used yet.')),
  state: v.picklist(['good', 'expired', 'too_wide']),
});

export const personDisplay = v.strictObject({
  id: v.string(),
  name: v.string(),
  cameras: v.pipe(v.nullable(cameras), v.description('Null: all that the person may see.')),
  may: v.array(v.picklist(capabilities)),
  until: v.pipe(v.nullable(moment), v.description('Null: until it is ended.')),
  last_seen_at: v.pipe(v.nullable(moment), v.description('Null: not seen yet.')),
  state: v.picklist(['good', 'waiting', 'expired', 'suspended']),
});

export const personShare = v.strictObject({
  id: v.string(),
  kind: v.picklist(['event', 'export', 'camera']),
  cameras,
  label: v.nullable(v.string()),
  made_at: moment,
  expires_at: moment,
  openings: v.pipe(v.number(), v.description('How often it was opened.')),
});

export const invitation = v.strictObject({
  id: v.string(),
  made_by: v.string(),
  created_at: moment,
  expires_at: moment,
});

/** Someone who has not accepted their invitation yet. */
export interface InvitedPerson {
  /** The proposed user name. */
  readonly name: string | undefined;
  readonly role: string;
  readonly invitation: v.InferOutput<typeof invitation>;
}

/** By user name. A part of a feature that is off is absent. */
export interface PeopleParts {
  readonly tokens?: ReadonlyMap<string, ReadonlyArray<v.InferOutput<typeof personToken>>>;
  readonly displays?: ReadonlyMap<string, ReadonlyArray<v.InferOutput<typeof personDisplay>>>;
  readonly shares?: ReadonlyMap<string, ReadonlyArray<v.InferOutput<typeof personShare>>>;
  /** Ids of the sessions whose browsers get pushes, of everyone. */
  readonly pushes?: ReadonlySet<string>;
  /** Newest first. */
  readonly invited?: readonly InvitedPerson[];
}

/** @param username the only user whose things are asked for, or undefined for everyone. Invitations are always all of them */
export type ReadPeopleParts = (username: string | undefined) => Promise<PeopleParts>;

/** @returns the parts of every feature that is on */
export async function readParts(
  features: readonly ReadPeopleParts[],
  username?: string,
): Promise<PeopleParts> {
  const parts = await Promise.all(features.map((read) => read(username)));
  return Object.assign({}, ...parts) as PeopleParts;
}

/** @returns what each owner has, as an entry shows it */
export function byOwner<Kept extends { readonly owner: string }, Shown>(
  kept: readonly Kept[],
  show: (one: Kept) => Shown,
): ReadonlyMap<string, readonly Shown[]> {
  return new Map([...Map.groupBy(kept, ({ owner }) => owner)].map(([owner, all]) => [owner, all.map(show)]));
}
