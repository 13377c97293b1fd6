import * as v from 'valibot';
import { ConfigurationError } from '../../config/problem.ts';
import { roleAccess, schedule } from '../../config/role-access.ts';
import { invalid, strictBody } from '../../http/validation.ts';
import { capabilities } from '../../policy/capability.ts';
import type { RoleDefinition } from '../../policy/role-access.ts';
import type { Schedule } from '../../policy/schedule.ts';

const text = v.string('Input should be text');
const list = 'Input should be a list';

export const newAccess = strictBody({
  cameras: v.array(v.pipe(text, v.nonEmpty('A camera has a name')), list),
  groups: v.optional(v.array(v.pipe(text, v.nonEmpty('A group has a name')), list), []),
  may: v.pipe(
    v.array(v.picklist(capabilities, `Input should be of ${capabilities.join(', ')}`), list),
    v.minLength(1, 'Choose at least one word'),
  ),
  schedule: v.optional(
    v.pipe(
      v.nullable(schedule),
      v.description('As in `auth.role_access`. Null: always; without it, the schedule stays.'),
    ),
  ),
  for: v.pipe(
    v.picklist(['role', 'person'], 'Input should be role or person'),
    v.description('`role`: everyone who has the role; `person`: only this person, by a role of their own.'),
  ),
});

/** @param current the schedule as it is. @throws ValidationError */
export function definitionIn(
  { cameras, groups, may, schedule: wanted }: v.InferOutput<typeof newAccess>,
  current: Schedule | undefined,
): RoleDefinition {
  if (cameras.length + groups.length === 0) throw invalid(['body', 'cameras'], 'Choose at least one camera');
  const when = wanted === undefined ? current : wanted;
  const named = groups.length === 0 ? {} : { groups: [...new Set(groups)] };
  const access = v.safeParse(roleAccess, { ...named, may: [...new Set(may)], ...when });
  if (!access.success) throw invalid(['body', 'schedule'], `Input should be ${access.issues[0].message}`);
  return { cameras: [...new Set(cameras)], access: access.output };
}

/**
 * As `validChange`, for roles whose names are shown nowhere.
 * @throws ValidationError for the first thing that config.yml could not have
 */
export async function validAccess<T>(changed: Promise<T>): Promise<T> {
  try {
    return await changed;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const [{ path, found, allowed } = { path: '', found: 'nothing', allowed: 'another' }] = error.problems;
    throw invalid(['body', partOf(path)], `Found ${found}, allowed is ${allowed}`);
  }
}

/** The field that a problem is about. */
function partOf(path: string): 'groups' | 'schedule' | 'cameras' {
  if (!path.startsWith('auth.role_access.')) return 'cameras';
  return path.includes('.groups') ? 'groups' : 'schedule';
}
