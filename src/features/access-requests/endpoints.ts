import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { strictBody } from '../../http/validation.ts';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import type { AccessRequests } from './access-requests.ts';
import { accessOfRole } from '../../policy/role-access.ts';
import { isGranted } from '../../policy/grant.ts';
import { cameraNameForm } from '../../policy/names.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { actorOf } from '../../api/request.ts';
import { endpoint } from '../../api/endpoint.ts';
import { ownSession } from '../../api/second-factor/own-factors.ts';

export interface AccessRequestsDependencies {
  readonly accessRequests: AccessRequests;
  readonly changeLimit: ChangeLimit;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly settings: Settings;
}

const camera = v.pipe(
  v.string('Input should be text'),
  v.regex(cameraNameForm, 'Input should be the name of a camera'),
);

export const askForAccess = endpoint({
  method: 'post',
  path: '/postern/api/access-requests',
  level: 'own-account',
  requiresSession: true,
  tag: 'Cameras',
  summary: 'Ask for a camera',
  description:
    'Admins are alerted. For a camera that does not exist, the answers are the same, and no one is alerted. For one that you see already, nothing is asked.',
  body: strictBody({ camera }),
  bodyExample: { camera: 'front_door' },
  answers: {
    204: { meaning: 'The admins of this gate can see it.' },
    409: {
      meaning:
        '`access_asked`: you asked for this camera within the last day; `too_many_access_requests`: 20 requests of yours have no answer yet.',
    },
    429: { meaning: 'Too many requests; `Retry-After` has the seconds.' },
  },
  handle:
    ({ accessRequests, changeLimit, audit, settings }: AccessRequestsDependencies) =>
    async (c) => {
      const { username } = ownSession(c, settings).user;
      await changeLimit.take('access_request', username);
      const { camera: asked } = c.req.valid('json');
      const { grant } = c.var.allowed;
      if (isGranted(grant, asked)) return;
      const isKnown = settings.allCameras().includes(asked);
      await accessRequests.ask(username, asked, isKnown, c.var.permit);
      if (isKnown) await audit.record({ event: 'access_asked', ...actorOf(c, settings), object: asked });
    },
});

export const listAccessRequests = endpoint({
  method: 'get',
  path: '/postern/api/access-requests',
  level: 'admin-only',
  tag: 'Cameras',
  summary: 'List what users have asked for',
  answers: {
    200: {
      meaning: 'Without an answer, the newest first. What a role covers by now is left out.',
      body: v.array(
        v.strictObject({
          user: v.string(),
          role: v.string(),
          camera: v.string(),
          asked_at: v.pipe(v.number(), v.description('Seconds since the epoch.')),
        }),
      ),
    },
  },
  handle:
    ({ accessRequests, settings }: AccessRequestsDependencies) =>
    async () =>
      (await openRequests(accessRequests, settings)).map(({ username, role, camera: asked, askedAt }) => ({
        user: username,
        role,
        camera: asked,
        asked_at: wholeSeconds(askedAt),
      })),
});

export const listOwnAccessRequests = endpoint({
  method: 'get',
  path: '/postern/api/access-requests/own',
  level: 'own-account',
  requiresSession: true,
  tag: 'Cameras',
  summary: 'List what you have asked for',
  answers: {
    200: {
      meaning:
        'Requests without an answer, and those of the last day. Cameras that you see by now are left out.',
      body: v.array(
        v.strictObject({
          camera: v.string(),
          asked_at: v.pipe(v.number(), v.description('Seconds since the epoch.')),
          again_at: v.pipe(
            v.number(),
            v.description('From then on you can ask again, in seconds since the epoch.'),
          ),
        }),
      ),
    },
  },
  handle:
    ({ accessRequests, settings }: AccessRequestsDependencies) =>
    async (c) => {
      const { grant } = c.var.allowed;
      const own = await accessRequests.of(ownSession(c, settings).user.username);
      return own
        .filter((request) => !isGranted(grant, request.camera))
        .map(({ camera: asked, askedAt, againAt }) => ({
          camera: asked,
          asked_at: wholeSeconds(askedAt),
          again_at: wholeSeconds(againAt),
        }));
    },
});

export const answerAccessRequest = endpoint({
  method: 'delete',
  path: '/postern/api/access-requests/:user/:camera',
  level: 'admin-only',
  tag: 'Cameras',
  summary: 'Take a request off the list',
  description: 'It changes no access: change the role for that.',
  answers: { 204: { meaning: 'It is off the list.' }, 404: { meaning: 'There is no such request.' } },
  handle:
    ({ accessRequests, audit, settings }: AccessRequestsDependencies) =>
    async (c) => {
      const { user, camera: asked } = c.req.param();
      if (!(await accessRequests.answer(user, asked, c.var.permit))) throw new AppError('not_found');
      const detail = { camera: asked };
      await audit.record({ event: 'access_answered', ...actorOf(c, settings), object: user, detail });
    },
});

/** Those for cameras that exist, and that the roles of the users do not cover. */
export async function openRequests(
  requests: Pick<AccessRequests, 'list'>,
  { rules, allCameras }: Pick<Settings, 'rules' | 'allCameras'>,
) {
  const known = new Set(allCameras());
  const all = (await requests.list()).filter((request) => known.has(request.camera));
  return all.filter(({ role, camera: asked }) => !isGranted(accessOfRole(role, rules.roles).cameras, asked));
}
