import * as v from 'valibot';
import { everyoneIsAdmin } from '../../config/resolve-recorder.ts';
import { unreadReasons } from '../../recorder/configuration-answer.ts';
import { inWords, isSuccess, jsonOf } from './answer.ts';
import type { Examination, Session } from './examination.ts';
import { fault, info, ok, skipped, type Finding, type Probe } from './probe.ts';

const told = v.object({
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

export const recorderCamerasProbe: Probe = {
  name: 'recorder-cameras',
  meaning:
    'The gate has read the cameras and live streams of the recorder, as GET /postern/api/configuration says to an admin; other users see cameras. The recorder does not take everyone for an admin on that port. Cameras that only the gate knows, and streams that no camera lists, are only `info`.',
  change:
    '`upstream`, and `recorder.auth_secret` when the recorder expects a secret; until the gate can read them, say `cameras` and `live.streams` in `config.yml` ([recorder.md](recorder.md#cameras-and-their-streams)).',
  needs: 'session',
  run: async ({ session, send, context }) => {
    if ('missing' in session) return [];
    const sent = 'GET /postern/api/configuration';
    if (session.role !== 'admin') return [await ofOthers(send, session)];
    const answer = await send({ target: '/postern/api/configuration', headers: session.headers });
    const read = v.safeParse(told, jsonOf(answer));
    if (!isSuccess(answer) || !read.success)
      return [skipped(`${sent} is ${inWords(answer)}, and tells nothing of the recorder`)];
    const { recorder } = read.output;
    if (recorder === null) return [skipped('there is no recorder at upstream')];
    const { heard_at: heardAt, cameras } = recorder;
    const seen =
      heardAt === null
        ? 'nothing was ever read'
        : `${cameras.length} camera(s), read ${Math.round(context.clock.now() / 1_000 - heardAt)} s ago`;
    const expected = 'cameras of the recorder';
    return [
      recorder.fault === null && heardAt !== null
        ? ok(sent, expected, seen)
        : fault(sent, expected, `${recorder.fault ?? 'no_answer'}; ${seen}`, adviceFor(recorder.fault)),
      ...(recorder.everybody_is_admin
        ? [fault(sent, 'a recorder that believes who asks', 'everybody_is_admin', everyoneIsAdmin)]
        : []),
      ...recorder.unknown_cameras.map((camera) => info(camera, 'the recorder has no such camera')),
      ...recorder.unlisted_streams.map((stream) =>
        info(stream, 'a stream that no camera lists: only admin and viewer see it'),
      ),
    ];
  },
};

/** Others than admins are told cameras alone. */
async function ofOthers(send: Examination['send'], { headers }: Session): Promise<Finding> {
  const sent = 'GET /postern/api/cameras';
  const answer = await send({ target: '/postern/api/cameras', headers });
  const read = v.safeParse(v.array(v.string()), jsonOf(answer));
  if (!isSuccess(answer) || !read.success) return skipped(`${sent} is ${inWords(answer)}`);
  const expected = 'cameras';
  return read.output.length > 0
    ? ok(sent, expected, `${read.output.length} camera(s)`)
    : fault(sent, expected, 'no camera is known that the user may see', adviceFor(null));
}

function adviceFor(reason: string | null): string {
  const known: Readonly<Record<string, string>> = unreadReasons;
  return known[reason ?? 'no_answer'] ?? 'look at the log of the gate';
}
