import { cameraText } from '../../ui/cameras/camera-names.ts';
import { access } from '#language/access';
import type { RoleChange } from '../../ui/roles/change-roles.ts';
import { listText } from '../../ui/list-text.ts';
import { capabilities, type Capability } from '../../ui/roles/role-access.ts';
import { numberText } from '../../ui/number-text.ts';

interface NewRole {
  readonly name: string;
  /** What it may do after the change. */
  readonly may: readonly Capability[];
  /** Cameras that it has before and after the change; 'all': every camera. */
  readonly keeps: readonly string[] | 'all';
}

// More names would hide what the sentence is about.
const mostCameras = 6;

/** @returns a sentence for each thing that the users of a role gain or lose */
export function changeText(change: RoleChange, role: NewRole): readonly string[] {
  const words = access.change;
  const { gains, loses, gains_may: gainsMay, loses_may: losesMay, users } = change;
  const who = whoText(change, role.name);
  const isOne = users <= 1;
  const kept = role.keeps === 'all' ? words.everyCamera : camerasText(role.keeps);
  const onKept = (may: readonly Capability[]) => words.onCameras(wordsText(may), kept);
  const keepsSome = role.keeps === 'all' || role.keeps.length > 0;
  return [
    gains.length > 0 && words.gains(who, words.cameras(camerasText(gains), wordsText(role.may)), isOne),
    loses.length > 0 && words.loses(who, camerasText(loses), isOne),
    keepsSome && gainsMay.length > 0 && words.gains(who, onKept(gainsMay), isOne),
    keepsSome && losesMay.length > 0 && words.loses(who, onKept(losesMay), isOne),
  ].filter((line) => line !== false);
}

/** @returns such as "nell", "anna, bert and carl", or "anna and 38 others" */
function whoText({ users, usernames }: RoleChange, role: string): string {
  const [first] = usernames;
  if (first === undefined) return access.change.role(role);
  return users > usernames.length ? access.change.others(first, numberText(users - 1)) : listText(usernames);
}

function camerasText(cameras: readonly string[]): string {
  const names = cameras.map(cameraText);
  if (names.length <= mostCameras) return listText(names);
  const shown = names.slice(0, mostCameras - 1);
  return access.change.more(shown.join(', '), numberText(names.length - shown.length));
}

function wordsText(may: readonly Capability[]): string {
  return listText(capabilities.filter((word) => may.includes(word)).map((word) => access.words[word]));
}
