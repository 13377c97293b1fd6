import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { ConfigurationError } from '../../config/problem.ts';
import { roleAccess, schedule } from '../../config/role-access.ts';
import { AppError } from '../../errors.ts';
import { invalid, strictBody } from '../../http/validation.ts';
import type { Invitation, Invitations } from './invitations.ts';
import type { RemoveMadeRole } from '../../accounts/roles/remove-made-role.ts';
import type { PersonalRoleChanges } from '../../accounts/roles/personal-role-changes.ts';
import { username } from '../../accounts/users/credentials.ts';
import { capabilities } from '../../policy/capability.ts';
import { scheduleIn } from '../../policy/role-access.ts';
import { isNoRole } from '../../policy/names.ts';
import { actorOf, siteUrl } from '../../api/request.ts';
import { endpoint } from '../../api/endpoint.ts';
import { permitIf } from '../../api/permit.ts';
import { requireStepUp, stepUpNeeded } from '../../api/require-step-up.ts';
import { ownSession } from '../../api/second-factor/own-factors.ts';
import { ownAccess, ownAccessBy } from '../../api/users/shown-access.ts';
import { validChange } from '../../api/valid-change.ts';

/* Links by which people get an account: for admins. `accept.ts` is the other side. */

const text = v.string('Input should be text');
const longest = 2_592_000;
const newInvitation = strictBody({
  name: v.optional(username),
  role: v.optional(v.pipe(text, v.description('Without `cameras`.'))),
  cameras: v.optional(
    v.pipe(
      v.array(v.pipe(text, v.nonEmpty('A camera has a name')), 'Input should be a list'),
      v.minLength(1, 'Name a camera at least'),
      v.description(
        'In place of `role`: a role is made for this person, and removed if no one uses the invitation.',
      ),
    ),
  ),
  may: v.optional(
    v.pipe(
      v.array(
        v.picklist(capabilities, `Input should be of ${capabilities.join(', ')}`),
        'Input should be a list',
      ),
      v.minLength(1, 'Name a word at least'),
      v.description('What the made role may do; by default `live`.'),
    ),
  ),
  schedule: v.optional(
    v.pipe(
      v.nullable(schedule),
      v.description('When the made role is open, as in `auth.role_access`. Null: always.'),
    ),
  ),
  expires_in: v.optional(
    v.pipe(
      v.number('Input should be a number'),
      v.integer('Input should be a whole number'),
      v.minValue(60, 'Input should be at least 60'),
      v.maxValue(longest, `Input should be at most ${longest}`),
      v.description('Seconds in which it can be used.'),
    ),
    604_800,
  ),
});

const listedInvitation = v.strictObject({
  id: v.string(),
  name: v.pipe(v.nullable(v.string()), v.description('The user name that is proposed.')),
  role: v.string(),
  makes_role: v.pipe(v.boolean(), v.description('The role was made for it.')),
  own_access: v.pipe(v.nullable(ownAccess), v.description('What that role gives; null: another role.')),
  made_by: v.string(),
  created_at: v.number(),
  expires_at: v.number(),
});

export interface InvitationsDependencies {
  readonly settings: Settings;
  readonly invitations: Invitations;
  readonly personalRoles: Pick<PersonalRoleChanges, 'make'>;
  readonly removeMadeRole: RemoveMadeRole;
  readonly publicUrl: string | undefined;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

const forAdmins = { level: 'admin-only', requiresSession: true, tag: 'Invitations' } as const;
const idParameter = { id: 'Id of the invitation.' };
const unknown = { meaning: 'There is no such invitation: it was used, revoked, or has expired.' };

export const makeInvitation = endpoint({
  method: 'post',
  path: '/postern/api/invitations',
  ...forAdmins,
  summary: 'Invite someone',
  description:
    '`name` is the user name that is proposed. With a role, or with cameras, for which a role is made. It ends when it is used, revoked, or expires, and when you are not an admin anymore.',
  body: newInvitation,
  bodyExample: {
    name: 'nell',
    cameras: ['driveway', 'front_door'],
    schedule: { from: '2026-12-19', until: '2026-12-21' },
    expires_in: 604_800,
  },
  answers: {
    201: {
      meaning: 'Made. Only this answer has `url`: its fragment has the secret.',
      body: v.strictObject({ ...listedInvitation.entries, url: v.string() }),
    },
    403: stepUpNeeded,
    404: { meaning: '`auth.enabled` is `false`: there are no accounts.' },
    409: { meaning: 'There are 100 already, or the configuration file cannot be written.' },
  },
  handle: (dependencies: InvitationsDependencies) => {
    const { settings, invitations, personalRoles, publicUrl, audit, clock } = dependencies;
    return async (c) => {
      const { user } = ownSession(c, settings);
      requireStepUp(c, clock);
      const body = c.req.valid('json');
      const { name, role: given = '', cameras } = body;
      const definition = definitionIn(body);
      const expiresAt = clock.now() + body.expires_in * 1000;
      const wanted = (role: string) => ({ name, role, madeBy: user.username, expiresAt });
      const permit = permitIf(c.var.permit, (now) => requireRole(given, now));
      const { invitation, secret } =
        definition === undefined
          ? await invitations.add(wanted(given), permit)
          : await validChange(
              personalRoles.make(
                definition,
                undefined,
                (role, on, permission) => invitations.addWithRole(wanted(role), on, permission),
                c.var.permit,
              ),
              partOf,
            );
      const { role } = invitation;
      if (definition !== undefined)
        await audit.record({
          event: 'role_defined',
          ...actorOf(c, settings),
          object: role,
          detail: { cameras: definition.cameras },
        });
      await audit.record({
        event: 'invitation_made',
        ...actorOf(c, settings),
        object: invitation.id,
        detail: {
          ...invitedIn(invitation),
          role,
          ...(cameras !== undefined && { cameras }),
          until: new Date(expiresAt).toISOString(),
        },
      });
      return {
        ...listed(invitation, settings),
        // The settings of this request have no role that was just made.
        own_access:
          definition === undefined
            ? null
            : {
                cameras: definition.cameras,
                may: [...(definition.access.may ?? [])],
                schedule: scheduleIn(definition.access) ?? null,
              },
        url: `${siteUrl(c, settings, publicUrl)}/postern/invite/${invitation.id}#${secret}`,
      };
    };
  },
});

export const listInvitations = endpoint({
  method: 'get',
  path: '/postern/api/invitations',
  ...forAdmins,
  summary: 'List the invitations',
  answers: {
    200: { meaning: 'Those that can still be used, newest first.', body: v.array(listedInvitation) },
  },
  handle:
    ({ settings, invitations }: InvitationsDependencies) =>
    async () =>
      (await invitations.list()).map((invitation) => listed(invitation, settings)),
});

export const showInvitation = endpoint({
  method: 'get',
  path: '/postern/api/invitations/:id',
  ...forAdmins,
  summary: 'Show an invitation',
  pathParameters: idParameter,
  answers: { 200: { meaning: 'The invitation, without its link.', body: listedInvitation }, 404: unknown },
  handle:
    ({ settings, invitations }: InvitationsDependencies) =>
    async (c) => {
      const found = await invitations.find(c.req.param('id'));
      if (found === undefined) throw new AppError('invitation_unknown');
      return listed(found, settings);
    },
});

export const revokeInvitation = endpoint({
  method: 'delete',
  path: '/postern/api/invitations/:id',
  ...forAdmins,
  summary: 'Revoke an invitation',
  pathParameters: idParameter,
  answers: { 204: { meaning: 'Its link is over, and the role that was made for it is gone.' }, 404: unknown },
  handle:
    ({ settings, invitations, removeMadeRole, audit }: InvitationsDependencies) =>
    async (c) => {
      const revoked = await invitations.revoke(c.req.param('id'), c.var.permit);
      if (revoked === undefined) throw new AppError('invitation_unknown');
      if (revoked.makesRole) await removeMadeRole(revoked.role);
      await audit.record({
        event: 'invitation_revoked',
        ...actorOf(c, settings),
        object: revoked.id,
        detail: { ...invitedIn(revoked), role: revoked.role },
      });
    },
});

/** @returns whom an invitation is for, since its id says nothing to who reads the audit */
function invitedIn({ name }: Pick<Invitation, 'name'>) {
  return name === undefined ? {} : { invited: name };
}

/** @returns the role to make; `undefined` if the body names one. @throws ValidationError */
function definitionIn({ role, cameras, may, schedule: when }: v.InferOutput<typeof newInvitation>) {
  if ((role === undefined) === (cameras === undefined))
    throw invalid(['body', 'role'], 'Give a role or cameras, and not both');
  if (cameras === undefined) {
    if (may === undefined && (when ?? undefined) === undefined) return undefined;
    throw invalid(
      ['body', may === undefined ? 'schedule' : 'may'],
      'The role has its own: this belongs to cameras',
    );
  }
  const access = v.safeParse(roleAccess, { may: may ?? ['live'], ...when });
  if (!access.success) throw invalid(['body', 'schedule'], `Input should be ${access.issues[0].message}`);
  return { cameras: [...new Set(cameras)], access: access.output };
}

function requireRole(role: string, { rules: { roles } }: Settings): void {
  if (!roles.has(role) || isNoRole(role))
    throw invalid(['body', 'role'], `Role should be one of ${[...roles.keys()].join(', ')}`);
}

/** The field that the first problem is about. */
function partOf({ problems: [problem] }: ConfigurationError): 'schedule' | 'cameras' {
  return problem?.path.startsWith('auth.role_access.') === true ? 'schedule' : 'cameras';
}

function listed(invitation: Invitation, settings: Settings): v.InferOutput<typeof listedInvitation> {
  const { id, name, role, makesRole, madeBy, createdAt, expiresAt } = invitation;
  return {
    id,
    name: name ?? null,
    role,
    makes_role: makesRole,
    own_access: ownAccessBy(new Set(makesRole ? [role] : []), settings)(role),
    made_by: madeBy,
    created_at: wholeSeconds(createdAt),
    expires_at: wholeSeconds(expiresAt),
  };
}
