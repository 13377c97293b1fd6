import type { RoleDefinition, RoleChange } from '../../ui/roles/roles-api.ts';
import {
  capabilities,
  mayByDefault,
  mayOf,
  type Capability,
  type RoleAccess,
  type PaneStates,
} from '../../ui/roles/role-access.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { listText, numberText } from '../../ui/words.ts';
import type { Forms } from '../../../language/fill.ts';
import { fill, plural, text } from '../../text.ts';

interface DefinedRole extends RoleDefinition {
  readonly name: string;
}

/** Changes that the panel of a cell can make. */
export interface Draft {
  readonly seesCamera: boolean;
  readonly may: readonly Capability[];
}

export function draftOf(role: DefinedRole, camera: string): Draft {
  return { seesCamera: role.cameras.includes(camera), may: mayOf(role) };
}

/**
 * @returns the role as the draft would make it. Only the camera is switched for itself; the rest applies to all cameras
 * of the role
 */
export function drafted(role: DefinedRole, camera: string, { seesCamera, may }: Draft): RoleDefinition {
  const others = role.cameras.filter((other) => other !== camera);
  const had = role.cameras.includes(camera);
  const cameras = seesCamera ? (had ? role.cameras : [...others, camera]) : others;
  const { may: _, ...rest } = role.access ?? {};
  const isDefault = may.join() === mayByDefault(role.name).join();
  const access: NonNullable<RoleAccess> = isDefault ? rest : { ...rest, may: [...may] };
  return { cameras: [...cameras], access: Object.keys(access).length === 0 ? null : access };
}

/** @returns the panes that the cell would show */
export function draftedPanes(may: readonly Capability[], isOpen: boolean): PaneStates {
  const state = isOpen ? 'may' : 'closed';
  return Object.fromEntries(
    capabilities.map((word) => [word, may.includes(word) ? state : 'no'] as const),
  ) as PaneStates;
}

const access = text.access;

interface NewRole {
  readonly name: string;
  /** Capabilities of the role after the change. */
  readonly may: readonly Capability[];
  /** Cameras that the role has before and after the change. 'all' means every camera. */
  readonly keeps: readonly string[] | 'all';
}

// More names would hide what the sentence is about.
const mostCameras = 6;

/** @returns a sentence for each thing that the users of a role gain or lose */
export function changeText(change: RoleChange, role: NewRole): readonly string[] {
  const words = access.change;
  const { gains, loses, gains_may: gainsMay, loses_may: losesMay, users } = change;
  const who = whoText(change, role.name);
  // The sentence is about the role itself if no one has it.
  const line = (forms: Forms, what: string) => plural(forms, Math.max(users, 1), { who, what });
  const kept = role.keeps === 'all' ? words.everyCamera : camerasText(role.keeps);
  const onKept = (may: readonly Capability[]) =>
    fill(words.onCameras, { words: wordsText(may), cameras: kept });
  const keepsSome = role.keeps === 'all' || role.keeps.length > 0;
  return [
    gains.length > 0 &&
      line(words.gains, fill(words.cameras, { cameras: camerasText(gains), words: wordsText(role.may) })),
    loses.length > 0 && line(words.loses, camerasText(loses)),
    keepsSome && gainsMay.length > 0 && line(words.gains, onKept(gainsMay)),
    keepsSome && losesMay.length > 0 && line(words.loses, onKept(losesMay)),
  ].filter((shown) => shown !== false);
}

/** @returns such as "nell", "anna, bert and carl", or "anna and 38 others" */
function whoText({ users, usernames }: RoleChange, role: string): string {
  const [first] = usernames;
  if (first === undefined) return fill(access.change.role, { role });
  return users > usernames.length
    ? fill(access.change.others, { name: first, count: numberText(users - 1) })
    : listText(usernames);
}

function camerasText(cameras: readonly string[]): string {
  const names = cameras.map(cameraText);
  if (names.length <= mostCameras) return listText(names);
  const shown = names.slice(0, mostCameras - 1);
  return fill(access.change.more, {
    cameras: shown.join(', '),
    count: numberText(names.length - shown.length),
  });
}

function wordsText(may: readonly Capability[]): string {
  return listText(capabilities.filter((word) => may.includes(word)).map((word) => access.words[word]));
}
