import * as v from 'valibot';
import { unverifiedReasons } from '../../recorder/recorder-role.ts';
import type { Examination } from './examination.ts';
import type { HeaderLine } from './raw-exchange.ts';
import { inWords, isSuccess, jsonOf } from './answer.ts';
import { fault, faultsOr, info, ok, skipped, type Finding, type Probe } from './probe.ts';

const toldRoles = v.array(
  v.object({
    name: v.string(),
    recorder: v.picklist(['verified', 'unverified']),
    recorder_reason: v.optional(v.string()),
  }),
);

const toldOfRecorder = v.object({
  unread_reason: v.nullable(v.string()),
  only_at_recorder: v.array(v.object({ name: v.string() })),
  refusals: v.array(v.object({ name: v.string(), recorder_says: v.string() })),
});

export const recorderRolesProbe: Probe = {
  name: 'recorder-roles',
  meaning:
    'The gate has verified that the recorder limits custom roles to their cameras: GET /postern/api/roles says `verified` of every role that the user may see. Lists that name no cameras are closed to the others. To an admin it says what the recorder refused, and which roles only the recorder has.',
  change:
    "`upstream` in `config.yml`: the recorder's port where it believes the identity headers, for other fronts too; and the role in the recorder's own `auth.roles`, with the same cameras or fewer, or `recorder.manage_roles: true` ([custom-roles.md](custom-roles.md#behind-a-recorder)).",
  needs: 'session',
  run: async ({ session, send }) => {
    if ('missing' in session) return [];
    const answer = await send({ target: '/postern/api/roles', headers: session.headers });
    const told = v.safeParse(toldRoles, jsonOf(answer));
    if (!isSuccess(answer) || !told.success)
      return [skipped(`GET /postern/api/roles is ${inWords(answer)}, and tells nothing of the recorder`)];
    const more = session.role === 'admin' ? await moreOf(send, session.headers) : [];
    if (told.output.length === 0) return [skipped('the user may see no custom role'), ...more];
    const expected = 'verified';
    const findings = told.output.map(({ name, recorder, recorder_reason: reason = '' }) => {
      const sent = `GET /postern/api/roles about ${name}`;
      return recorder === 'verified'
        ? ok(sent, expected, recorder)
        : fault(sent, expected, `${recorder}: ${reason}`, adviceFor(reason));
    });
    return [...faultsOr(findings, `GET /postern/api/roles about ${findings.length} role(s)`), ...more];
  },
};

/** What nobody but an admin may know. */
async function moreOf(
  send: Examination['send'],
  headers: readonly HeaderLine[],
): Promise<readonly Finding[]> {
  const answer = await send({ target: '/postern/api/recorder/roles', headers });
  const told = v.safeParse(toldOfRecorder, jsonOf(answer));
  if (!isSuccess(answer) || !told.success) return [];
  const { unread_reason: unread, only_at_recorder: others, refusals } = told.output;
  return [
    ...(unread === null ? [] : [info('the recorder', `nothing is written to it: ${unread}`)]),
    ...refusals.map(({ name, recorder_says: says }) => info(name, `the recorder refuses it: ${says}`)),
    ...others.map(({ name }) => info(name, 'only the recorder has this role')),
  ];
}

function adviceFor(reason: string): string {
  const known: Readonly<Record<string, string>> = unverifiedReasons;
  return known[reason] ?? 'look at the log of the gate';
}
