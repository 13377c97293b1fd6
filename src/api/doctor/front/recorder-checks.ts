import * as v from 'valibot';
import { everyoneIsAdmin } from '../../../config/resolve-recorder.ts';
import { unreadReasons } from '../../../recorder/configuration-answer.ts';
import { unverifiedReasons } from '../../../recorder/role-answers.ts';
import { faultsOr, finding, info, skipped, type Finding } from '../check.ts';
import { inWords, isSuccess, jsonOf } from './exchange.ts';
import type { FrontCheck, SignedIn } from './examination.ts';

/* Checks by what the gate itself reports about the recorder to the user of the session. */

/** @returns the gate's report, or the text for a check that is skipped */
async function ask<S extends v.GenericSchema>(
  { send, session: { headers } }: Pick<SignedIn, 'send' | 'session'>,
  target: string,
  schema: S,
): Promise<{ readonly value: v.InferOutput<S> } | { readonly missing: string }> {
  const answer = await send({ target, headers });
  const read = v.safeParse(schema, jsonOf(answer));
  return isSuccess(answer) && read.success
    ? { value: read.output }
    : { missing: `GET ${target} is ${inWords(answer)}` };
}

const rolesSchema = v.array(
  v.object({
    name: v.string(),
    recorder: v.picklist(['verified', 'unverified']),
    recorder_reason: v.optional(v.string(), ''),
  }),
);

/** The recorder limits custom roles to their cameras. */
export const recorderRoles: FrontCheck = {
  name: 'recorder-roles',
  needs: 'session',
  run: async (examination) => {
    const path = '/postern/api/roles';
    const asked = await ask(examination, path, rolesSchema);
    if ('missing' in asked) return [skipped(`${asked.missing}, and has nothing about the recorder`)];
    const { value: roles } = asked;
    const more = examination.session.role === 'admin' ? await differences(examination) : [];
    if (roles.length === 0) return [skipped('the user may see no custom role'), ...more];
    const findings = roles.map(({ name, recorder, recorder_reason: reason }) =>
      recorder === 'verified'
        ? finding(`GET ${path} about ${name}`, 'verified', recorder, false)
        : finding(
            `GET ${path} about ${name}`,
            'verified',
            `${recorder}: ${reason}`,
            advice(unverifiedReasons, reason),
          ),
    );
    return [...faultsOr(findings, `GET ${path} about ${findings.length} role(s)`), ...more];
  },
};

const reportSchema = v.object({
  unread_reason: v.nullable(v.string()),
  only_at_recorder: v.array(v.object({ name: v.string() })),
  refusals: v.array(v.object({ name: v.string(), recorder_says: v.string() })),
});

/** Facts for admins only. */
async function differences(examination: SignedIn): Promise<readonly Finding[]> {
  const asked = await ask(examination, '/postern/api/recorder/roles', reportSchema);
  if ('missing' in asked) return [];
  const { unread_reason: unread, only_at_recorder: others, refusals } = asked.value;
  return [
    ...(unread === null ? [] : [info('the recorder', `nothing is written to it: ${unread}`)]),
    ...refusals.map(({ name, recorder_says: says }) => info(name, `the recorder refuses it: ${says}`)),
    ...others.map(({ name }) => info(name, 'only the recorder has this role')),
  ];
}

const configurationSchema = v.object({
  recorder: v.nullable(
    v.object({
      heard_at: v.nullable(v.number()),
      fault: v.nullable(v.string()),
      everybody_is_admin: v.boolean(),
      cameras: v.array(v.object({ name: v.string() })),
      unknown_cameras: v.array(v.string()),
      unlisted_streams: v.array(v.string()),
    }),
  ),
});

/** The gate has read the cameras and live streams of the recorder, which does not treat everyone as an admin. */
export const recorderCameras: FrontCheck = {
  name: 'recorder-cameras',
  needs: 'session',
  run: async (examination) => {
    if (examination.session.role !== 'admin') return [await ofOthers(examination)];
    const path = '/postern/api/configuration';
    const asked = await ask(examination, path, configurationSchema);
    if ('missing' in asked) return [skipped(`${asked.missing}, and has nothing about the recorder`)];
    const { recorder } = asked.value;
    if (recorder === null) return [skipped('there is no recorder at upstream')];
    const { heard_at: heardAt, cameras, fault } = recorder;
    const age = Math.round(examination.context.clock.now() / 1_000 - (heardAt ?? 0));
    const seen =
      heardAt === null ? 'nothing was ever read' : `${cameras.length} camera(s), read ${age} s ago`;
    const [sent, expected] = [`GET ${path}`, 'cameras of the recorder'];
    return [
      fault === null && heardAt !== null
        ? finding(sent, expected, seen, false)
        : finding(sent, expected, `${fault ?? 'no_answer'}; ${seen}`, advice(unreadReasons, fault)),
      ...(recorder.everybody_is_admin
        ? [finding(sent, 'a recorder that believes who asks', 'everybody_is_admin', everyoneIsAdmin)]
        : []),
      ...recorder.unknown_cameras.map((camera) => info(camera, 'the recorder has no such camera')),
      ...recorder.unlisted_streams.map((stream) =>
        info(stream, 'a stream that no camera lists: only admin and viewer see it'),
      ),
    ];
  },
};

/** Only admins get more than cameras. */
async function ofOthers(examination: SignedIn): Promise<Finding> {
  const path = '/postern/api/cameras';
  const asked = await ask(examination, path, v.array(v.string()));
  if ('missing' in asked) return skipped(asked.missing);
  const count = asked.value.length;
  return count > 0
    ? finding(`GET ${path}`, 'cameras', `${count} camera(s)`, false)
    : finding(
        `GET ${path}`,
        'cameras',
        'no camera is known that the user may see',
        advice(unreadReasons, null),
      );
}

function advice(reasons: Readonly<Record<string, string>>, reason: string | null): string {
  return reasons[reason ?? 'no_answer'] ?? 'look at the log of Postern';
}
