import { capabilities, type Capability } from '../../ui/roles/role-access.ts';
import type { Who } from '../../ui/roles/role-paths.ts';

/** Whether someone may do something with a camera. */
export interface Question {
  readonly who: Who;
  readonly camera: string;
  readonly to: Capability;
  /** Seconds since the epoch; undefined: now. */
  readonly at?: number | undefined;
}

type Query = Readonly<Record<string, string | undefined>>;

/** @returns the question in an address, as far as it is asked */
export function questionIn({ user, role, camera, to, at }: Query): Partial<Question> {
  const who = user !== undefined ? { user } : role !== undefined ? { role } : undefined;
  const word = capabilities.find((name) => name === to);
  return {
    ...(who && { who }),
    ...(camera !== undefined && { camera }),
    ...(word !== undefined && { to: word }),
    ...(at !== undefined && /^\d{1,11}$/.test(at) && { at: Number(at) }),
  };
}

/** @returns the question as the query of an address */
export function queryOf({ who, camera, to, at }: Question): string {
  return new URLSearchParams({
    ...who,
    camera,
    to,
    ...(at === undefined ? {} : { at: String(at) }),
  }).toString();
}

/** Someone as the value of a choice. */
export function valueOf(who: Who): string {
  return 'user' in who ? `user ${who.user}` : `role ${who.role}`;
}

export function whoOf(value: string): Who {
  const [kind, ...rest] = value.split(' ');
  const name = rest.join(' ');
  return kind === 'user' ? { user: name } : { role: name };
}
