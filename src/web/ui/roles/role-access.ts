import type { Role } from '../../api-client.ts';
import type { Schedule } from './schedule.ts';
import { isNamelessRole } from '../../../policy/names.ts';
import { text } from '../../text.ts';

/** Capabilities of a role, its groups of cameras and its schedule. Null is the default, at all times. */
export type RoleAccess = Role['access'];

type Access = NonNullable<RoleAccess>;
export type Capability = NonNullable<Access['may']>[number];

/** All capabilities, in the order in which pages show them. */
export const capabilities: readonly Capability[] = ['live', 'history', 'export', 'ptz', 'share', 'talk'];

/** A custom role has these only when they are granted. */
const granted: ReadonlySet<Capability> = new Set(['ptz', 'share', 'talk']);

/** `closed`: outside the schedule. */
type PaneState = 'may' | 'closed' | 'no';

/** Access to a camera: each capability is a pane of a window. */
export type PaneStates = Readonly<Record<Capability, PaneState>>;

export const noPanes: PaneStates = {
  live: 'no',
  history: 'no',
  export: 'no',
  ptz: 'no',
  share: 'no',
  talk: 'no',
};

/** @returns what a role may do by default */
export function mayByDefault(role: string): readonly Capability[] {
  return role === 'admin' || role === 'viewer'
    ? capabilities
    : capabilities.filter((capability) => !granted.has(capability));
}

/** @returns what a role may do, in the usual order */
export function mayOf({ name, access }: Pick<Role, 'name' | 'access'>): readonly Capability[] {
  const may = access?.may;
  return may === undefined
    ? mayByDefault(name)
    : capabilities.filter((capability) => may.includes(capability));
}

/** @returns the schedule, or `undefined` if the role is always active */
export function scheduleOf(access: RoleAccess): Schedule | undefined {
  const { from, until, hours } = access ?? {};
  return from === undefined && until === undefined && hours === undefined ? undefined : (access ?? {});
}

/** @returns the name that pages show for a role. A role that was made for one guest is only called a guest */
export function roleText(role: string): string {
  return isNamelessRole(role) ? text.site.guest : role;
}
